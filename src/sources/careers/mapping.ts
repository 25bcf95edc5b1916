// How any JSON record is read as an advertisement: a declared mapping from our field names to paths in the record, to texts with paths in
// them, or to fixed values. Pure. A path is names with dots; `*` stands for every entry of a list, numbers count from 0.
import { z } from 'zod';
import { prefixed } from '../../model/provenance/origins.ts';
import { countYield, type Yields, yieldName } from '../../model/quality/yields.ts';
import type { Advert, AdvertOrigins } from '../postings/advert.ts';
import { nonEmptyText, statedRemote } from '../postings/text.ts';

const FIELDS = [
  'id',
  'title',
  'url',
  'apply_url',
  'company',
  'location',
  'city',
  'region',
  'country',
  'remote',
  'job_type',
  'department',
  'team',
  'job_function',
  'seniority',
  'description',
  'posted',
  'updated',
  'valid_through',
  'salary',
  'salary_min',
  'salary_max',
  'salary_currency',
  'salary_interval',
  'language',
  'skills',
] as const;
type Field = (typeof FIELDS)[number];

/** `location.name`, or `{ "text": "https://jobs.example/{slug}" }`, or several paths whose texts are joined. */
const Rule = z.union([
  z.string().min(1).max(300),
  z.strictObject({ text: z.string().min(1).max(1_000) }),
  z.strictObject({ join: z.array(z.string().min(1).max(300)).min(1).max(20), with: z.string().max(50).default(', ') }),
]);
type Rule = z.infer<typeof Rule>;

export const Mapping = z.partialRecord(z.enum(FIELDS), Rule);
export type Mapping = z.infer<typeof Mapping>;
/** The same for every posting of the board. */
export const FixedValues = z.partialRecord(z.enum(FIELDS), z.string().max(1_000));
export type FixedValues = z.infer<typeof FixedValues>;

/** Everything at a path: none, one, or with `*` many. */
export function valuesAt(value: unknown, path: string): unknown[] {
  let values: unknown[] = [value];
  for (const name of path === '' ? [] : path.split('.')) {
    values = values.flatMap((one) => {
      if (name === '*')
        return Array.isArray(one) ? one : one !== null && typeof one === 'object' ? Object.values(one) : [];
      if (one === null || typeof one !== 'object') return [];
      return Object.hasOwn(one, name) ? [(one as Record<string, unknown>)[name]] : [];
    });
  }
  return values;
}

function textsAt(value: unknown, path: string): string[] {
  return valuesAt(value, path)
    .flat()
    .flatMap((one) => (typeof one === 'boolean' ? String(one) : (nonEmptyText(one) ?? [])));
}

export interface Reading {
  fields: Mapping;
  values: FixedValues;
  /** Relative addresses are relative to this. */
  baseUrl: string;
}

export function textsOf(record: unknown, field: Field, { fields, values }: Reading): string[] {
  const fixed = nonEmptyText(values[field]);
  if (fixed !== null) return [fixed];
  const rule: Rule | undefined = fields[field];
  if (rule === undefined) return [];
  if (typeof rule === 'string') return textsAt(record, rule);
  if ('join' in rule)
    return [rule.join.flatMap((path) => textsAt(record, path)).join(rule.with)].filter((text) => text !== '');
  let isWhole = true;
  const text = rule.text.replace(/\{([^{}]+)\}/g, (_, path: string) => {
    const found = textsAt(record, path)[0];
    isWhole &&= found !== undefined;
    return found ?? '';
  });
  return isWhole ? [text] : [];
}

const OF_FIELD = {
  id: ['id', 'url'],
  title: ['title'],
  url: ['url', 'apply_url'],
  applyUrl: ['apply_url'],
  company: ['company'],
  places: ['location', 'city', 'region', 'country'],
  remote: ['remote'],
  types: ['job_type'],
  pay: ['salary_min', 'salary_max'],
  payText: ['salary'],
  html: ['description'],
  posted: ['posted'],
  updated: ['updated'],
  validThrough: ['valid_through'],
  department: ['department'],
  team: ['team'],
  jobFunction: ['job_function'],
  level: ['seniority'],
  language: ['language'],
  skills: ['skills'],
} as const satisfies Partial<Record<keyof Advert, readonly Field[]>>;

/** One object for all records that are read by the same mapping. */
const byReading = new WeakMap<Reading, AdvertOrigins>();

function originsOf(reading: Reading): AdvertOrigins {
  const known = byReading.get(reading);
  if (known) return known;
  const places = (field: Field): string[] => {
    if (nonEmptyText(reading.values[field]) !== null) return ['=request:values'];
    const rule = reading.fields[field];
    if (rule === undefined) return [];
    if (typeof rule === 'string') return [rule];
    return 'join' in rule ? rule.join : [...rule.text.matchAll(/\{([^{}]+)\}/g)].map(([, path]) => path!);
  };
  const said = Object.entries(OF_FIELD).map(([name, fields]) => [name, fields.flatMap(places).join(' | ')]);
  const origins = prefixed('api', Object.fromEntries(said.filter(([, place]) => place !== '')));
  byReading.set(reading, origins);
  return origins;
}

/** In how many of these records each path of the mapping found something. */
export function yieldsOf(records: readonly unknown[], reading: Reading): Yields {
  const yields: Yields = {};
  for (const [field, rule] of Object.entries(reading.fields)) {
    const name = yieldName(field, typeof rule === 'string' ? rule : 'join' in rule ? rule.join.join(' + ') : rule.text);
    for (const record of records)
      countYield(yields, name, textsOf(record, field as Field, { ...reading, values: {} }).length > 0);
  }
  return yields;
}

export function mappedAdvert(record: unknown, reading: Reading): Advert {
  const many = (field: Field) => textsOf(record, field, reading);
  const first = (field: Field) => many(field)[0] ?? null;
  const address = (field: Field) => {
    const text = first(field);
    return text !== null && URL.canParse(text, reading.baseUrl) ? new URL(text, reading.baseUrl).href : null;
  };
  const [city, region, country] = [first('city'), first('region'), first('country')];
  const inParts = city !== null || region !== null || country !== null;
  const [min, max] = [first('salary_min'), first('salary_max')];
  const remote = first('remote');
  return {
    id: first('id') ?? address('url') ?? '',
    title: first('title'),
    url: address('url') ?? address('apply_url'),
    applyUrl: address('apply_url'),
    company: first('company'),
    places: inParts ? [{ text: first('location'), city, region, country }] : many('location').map((text) => ({ text })),
    remote: /^(?:true|1|yes)$/i.test(remote ?? '') ? 'remote' : statedRemote(remote),
    types: many('job_type'),
    pay:
      min === null && max === null
        ? null
        : { min, max, currency: first('salary_currency'), interval: first('salary_interval') },
    payText: first('salary'),
    html: many('description').join('\n') || null,
    posted: date(first('posted')),
    updated: date(first('updated')),
    validThrough: date(first('valid_through')),
    department: first('department'),
    team: first('team'),
    jobFunction: first('job_function'),
    level: first('seniority'),
    language: first('language'),
    skills: many('skills'),
    raw: record,
    origins: originsOf(reading),
  };
}

/** Seconds or milliseconds since 1970 come as texts of digits here. */
function date(text: string | null): string | number | null {
  if (text === null || !/^\d{10}(?:\d{3})?$/.test(text)) return text;
  return Number(text) * (text.length === 10 ? 1_000 : 1);
}
