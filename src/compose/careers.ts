// Career pages for the API, from the sources themselves. Detection is the only thing for which the API process fetches pages, so the web layer is opened
// at the first detection, and only few may run at a time.
import type { CareerCatalogue } from '../model/company/company.ts';
import { AppError } from '../model/errors.ts';
import type { SourceRegistry } from '../source-modules/registry.ts';
import { companyRows, readCompanies, settingsProblems } from '../sources/careers/companies.ts';
import { detect } from '../sources/careers/detect.ts';
import { createWeb, type Webs } from '../web/web.ts';
import type { Role } from './process/role.ts';
import { webOptions } from './web.ts';

const LOOKING_MAX = 4;

export function careerCatalogue(
  { config, life }: Pick<Role, 'config' | 'life'>,
  { careers }: Pick<SourceRegistry, 'careers'>,
): CareerCatalogue {
  let webs: Webs | undefined;
  let looking = 0;
  life.own('detection', async () => webs?.close());
  return {
    types: () => careers.map((source) => source.name),
    problems: (settings) => settingsProblems(settings, careers).map(fieldError),
    rows: (value) => companyRows(value, careers),
    read: (text) => readCompanies(text, careers),
    async detect(url, signal) {
      if (looking >= LOOKING_MAX)
        throw new AppError('unavailable', 'Too many detections are running. Try again in 2 seconds.', {
          retryAfterMs: 2_000,
        });
      looking += 1;
      try {
        webs ??= createWeb(webOptions(config));
        return await detect(url, webs.forAttempt({ signal, source: 'detect' }), careers);
      } finally {
        looking -= 1;
      }
    },
  };
}

/** `scraping_config.board: is required`, as an error of the field. */
function fieldError(problem: string): { pointer: string; detail: string } {
  const [, path = 'scraping_config', detail = problem] = /^(scraping_config[\w.]*): (.*)$/s.exec(problem) ?? [];
  return { pointer: `/${path.replaceAll('.', '/')}`, detail };
}
