// Career pages for the API, from the sources themselves. Detection is the only thing for which the API process fetches pages, so the web layer is opened
// at the first detection, and only few may run at a time.
import type { CareerCatalogue } from '../model/company/company.ts';
import { AppError } from '../model/errors.ts';
import type { SourceRegistry } from '../source-modules/registry.ts';
import { companyRows, readCompanies, settingsProblems } from '../sources/careers/companies.ts';
import { createWeb, type Webs } from '../web/web.ts';
import type { Reading } from '../worker/reading/reading.ts';
import { type RunSource, runHere } from '../worker/run-source.ts';
import type { Role } from './process/role.ts';
import { detectionSource, runDetection } from './reading/detection.ts';
import { openReading } from './reading/reading.ts';
import { webOptions } from './web.ts';

const LOOKING_MAX = 4;

export function careerCatalogue(
  { config, life, modules }: Pick<Role, 'config' | 'life' | 'modules'>,
  { careers }: Pick<SourceRegistry, 'careers'>,
): CareerCatalogue {
  let open: { webs: Webs; reading: Reading; runSource: RunSource } | undefined;
  let looking = 0;
  life.own('detection', async () => {
    await open?.reading.close();
    await open?.webs.close();
  });
  function openOnce(): NonNullable<typeof open> {
    const reading = openReading(config, modules);
    const runSource = modules.isHandedOver ? runHere(() => detectionSource(careers)) : reading.run;
    return { webs: createWeb(webOptions(config)), reading, runSource };
  }
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
        open ??= openOnce();
        return await runDetection(url, { ...open, signal });
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
