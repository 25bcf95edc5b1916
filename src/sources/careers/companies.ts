// Files of companies, YAML or JSON: each row is checked by itself, its settings by the schema of the source they name, and a row that is wrong
// says everything that is wrong with it. Pure.
// What a reader would get wrong: a misspelt setting is an error, not something to ignore. `regoin: eu` would scrape another company's board.
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { AppError, fieldName } from '../../model/errors.ts';
import { issueErrors } from '../../model/zod-messages.ts';
import type { Source } from '../define.ts';
import { CAREER_SOURCES } from './index.ts';

export const Company = z.strictObject({
  name: z.string().trim().min(1).max(300),
  website: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  active: z.boolean().default(true),
  scraping_config: z.looseObject({ scraper_type: z.string() }),
});
export type Company = z.infer<typeof Company>;

export interface CompanyRow {
  /** Its number in the file, from 1. */
  row: number;
  name: string | null;
  /** Null where there are problems. */
  company: Company | null;
  problems: string[];
}

const MAX_CHARS = 20_000_000;
const MAX_ROWS = 100_000;

/** Rows of `companies: […]`, or of a file that is the list itself. JSON is read as the YAML it is. */
export function readCompanies(text: string, careers: readonly Source[] = CAREER_SOURCES): CompanyRow[] {
  if (text.length > MAX_CHARS)
    throw new AppError('body_too_large', `A file of companies may have at most ${MAX_CHARS} characters.`);
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (cause) {
    throw noFile(`is neither YAML nor JSON: ${(cause as Error).message.split('\n')[0]!.replace(/:$/, '')}`, cause);
  }
  return companyRows(value, careers);
}

/** The same of what was read already. */
export function companyRows(value: unknown, careers: readonly Source[] = CAREER_SOURCES): CompanyRow[] {
  const rows = Array.isArray(value) ? value : (value as { companies?: unknown } | null)?.companies;
  if (!Array.isArray(rows))
    throw noFile('has no list of companies. It has to be {"companies": […]} or the array itself');
  if (rows.length > MAX_ROWS) throw noFile(`has more than ${MAX_ROWS} rows. Split it`);
  const names = new Map<string, number>();
  const settingNames = new Map<string, string[]>();
  return rows.map((raw, i) => {
    const checked = checkCompany(raw, careers, settingNames);
    const row = i + 1;
    const key = checked.name?.toLowerCase();
    const earlier = key === undefined ? undefined : names.get(key);
    if (key !== undefined && earlier === undefined) names.set(key, row);
    if (earlier === undefined) return { row, ...checked };
    return {
      row,
      ...checked,
      company: null,
      problems: [...checked.problems, `name: is the same as in row ${earlier}`],
    };
  });
}

/** None of its rows can be looked at. */
const noFile = (detail: string, cause?: unknown): AppError =>
  new AppError('invalid_params', `The file ${detail}.`, { errors: [{ pointer: '', detail }], cause });

/** `settingNames` caches the parameters of each source, for many rows. */
function checkCompany(
  raw: unknown,
  careers: readonly Source[],
  settingNames: Map<string, string[]>,
): Omit<CompanyRow, 'row'> {
  const parsed = Company.safeParse(raw);
  const name =
    raw !== null && typeof raw === 'object' && 'name' in raw && typeof raw.name === 'string' ? raw.name.trim() : null;
  // The settings are judged whatever else is wrong, so that a file is not refused twice.
  const settings = Company.shape.scraping_config.safeParse(
    (raw as { scraping_config?: unknown } | null)?.scraping_config,
  );
  const problems = [
    ...(parsed.success ? [] : problemsOf(parsed.error.issues)),
    ...(settings.success ? settingsProblems(settings.data, careers, settingNames) : []),
  ];
  return { name, company: parsed.success && problems.length === 0 ? parsed.data : null, problems };
}

/** What is wrong with a `scraping_config`, each with the setting it is about. */
export function settingsProblems(
  config: Record<string, unknown>,
  careers: readonly Source[] = CAREER_SOURCES,
  settingNames = new Map<string, string[]>(),
): string[] {
  const { scraper_type: type, ...settings } = config;
  const source = careers.find(({ name }) => name === type);
  if (source === undefined)
    return [
      `scraping_config.scraper_type: has to be one of ${careers.map(({ name }) => name).join(', ')}, not "${String(type)}"`,
    ];
  const known =
    settingNames.get(source.name) ??
    Object.keys(z.toJSONSchema(source.params, { io: 'input', unrepresentable: 'any' }).properties ?? {});
  settingNames.set(source.name, known);
  const strange = Object.keys(settings).filter((key) => !known.includes(key));
  const parsed = source.params.safeParse(settings);
  return [
    ...strange.map((key) => `scraping_config.${key}: is not a setting of ${type}`),
    ...(parsed.success
      ? []
      : problemsOf(parsed.error.issues.map((issue) => ({ ...issue, path: ['scraping_config', ...issue.path] })))),
  ];
}

const problemsOf = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issueErrors(issues).map(({ pointer, detail }) => (pointer === '' ? detail : `${fieldName(pointer)}: ${detail}`));
