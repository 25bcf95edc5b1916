// What the API needs to know of career pages, from the sources themselves. Looking at a page is the one thing the API process asks of the web, so the
// web is opened when the first one asks, and few may look at a time.
import type { CareerCatalogue } from '../model/company/company.ts';
import { AppError } from '../model/errors.ts';
import { companyRows, readCompanies, settingsProblems } from '../sources/careers/companies.ts';
import { detect } from '../sources/careers/detect.ts';
import { CAREER_SOURCES } from '../sources/careers/index.ts';
import { createWeb, type Webs } from '../web/web.ts';
import type { Role } from './process/role.ts';
import { webOptions } from './web.ts';

const LOOKING_MAX = 4;

export function careerCatalogue({ config, life }: Pick<Role, 'config' | 'life'>): CareerCatalogue {
  let webs: Webs | undefined;
  let looking = 0;
  life.own('detection', async () => webs?.close());
  return {
    types: () => CAREER_SOURCES.map((source) => source.name),
    problems: (settings) => settingsProblems(settings).map(fieldError),
    rows: companyRows,
    read: readCompanies,
    async detect(url, signal) {
      if (looking >= LOOKING_MAX)
        throw new AppError('unavailable', 'Too many detections are running. Try again in 2 seconds.', {
          retryAfterMs: 2_000,
        });
      looking += 1;
      try {
        webs ??= createWeb(webOptions(config));
        return await detect(url, webs.forAttempt({ signal, source: 'detect' }));
      } finally {
        looking -= 1;
      }
    },
  };
}

/** `scraping_config.board: is missing`, as an error of the field. */
function fieldError(problem: string): { pointer: string; detail: string } {
  const [, path = 'scraping_config', detail = problem] = /^(scraping_config[\w.]*): (.*)$/s.exec(problem) ?? [];
  return { pointer: `/${path.replaceAll('.', '/')}`, detail };
}
