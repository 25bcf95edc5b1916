// Files of companies, YAML or JSON: each row is checked by itself, its settings by the schema of the source they name, and a row that is wrong
// says everything that is wrong with it. Rows are checked in slices, so that the event loop of the API turns meanwhile.
// What a reader would get wrong: a misspelt setting is an error, not something to ignore. `regoin: eu` would scrape another company's board.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { load as loadYaml, type YAMLException } from 'js-yaml';
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

/** Reading this much takes a fifth of a second, whatever it holds; JSON may be larger, since it is read ten times as fast. */
const YAML_MAX_CHARS = 512 * 1_024;
const MAX_ROWS = 100_000;
const MAX_DEPTH = 50;
const MAX_ALIASES = 1_000;
/** With what aliases repeat. Without them a file cannot have as many. */
const MAX_VALUES = 1_000_000;
/** Rows that are checked between two turns of the event loop. */
const SLICE_ROWS = 200;

/** Rows of `companies: […]`, or of a file that is the list itself. JSON is read as the YAML it is. */
export async function readCompanies(text: string, careers: readonly Source[] = CAREER_SOURCES): Promise<CompanyRow[]> {
  if (text.length > YAML_MAX_CHARS)
    throw new AppError(
      'body_too_large',
      `A YAML file of companies may have at most ${YAML_MAX_CHARS.toLocaleString('en')} characters. Split it, or send it as JSON.`,
    );
  let value: unknown;
  try {
    value = loadYaml(text, { maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
  } catch (cause) {
    const { reason, mark } = cause as YAMLException;
    const where = mark === undefined ? '' : ` at line ${mark.line + 1}, column ${mark.column + 1}`;
    throw noFile(`is neither YAML nor JSON: ${reason}${where}`, cause);
  }
  refuseRepeatedAliases(value);
  return companyRows(value, careers);
}

/** A few aliases of aliases stand for more values than fit into memory, or for a value that holds itself. */
function refuseRepeatedAliases(file: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: file, depth: 0 }];
  for (let values = 1; open.length > 0; ) {
    const { value, depth } = open.pop()!;
    if (value === null || typeof value !== 'object') continue;
    const inner = Object.values(value);
    values += inner.length;
    if (values > MAX_VALUES || depth > MAX_DEPTH)
      throw noFile('repeats too much by aliases (*name). Write the values out');
    for (const one of inner) open.push({ value: one, depth: depth + 1 });
  }
}

/** The same of what was read already. */
export async function companyRows(value: unknown, careers: readonly Source[] = CAREER_SOURCES): Promise<CompanyRow[]> {
  const given = Array.isArray(value) ? value : (value as { companies?: unknown } | null)?.companies;
  if (!Array.isArray(given))
    throw noFile('has no list of companies. It has to be {"companies": […]} or the array itself');
  if (given.length > MAX_ROWS) throw noFile(`has more than ${MAX_ROWS} rows. Split it`);
  const names = new Map<string, number>();
  const settingNames = new Map<string, string[]>();
  const rows: CompanyRow[] = [];
  for (const raw of given) {
    const row = rows.length + 1;
    if (row % SLICE_ROWS === 0) await nextTurn();
    const checked = checkCompany(raw, careers, settingNames);
    const key = checked.name?.toLowerCase();
    const earlier = key === undefined ? undefined : names.get(key);
    if (key !== undefined && earlier === undefined) names.set(key, row);
    if (earlier === undefined) rows.push({ row, ...checked });
    else {
      const problems = [...checked.problems, `name: is the same as in row ${earlier}`];
      rows.push({ row, ...checked, company: null, problems });
    }
  }
  return rows;
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
