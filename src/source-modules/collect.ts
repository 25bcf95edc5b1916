// The sources that a module exports, each looked at by hand: a module may be plain JavaScript, and what is wrong with it has to be said in a sentence instead
// of showing up in the middle of a run. Pure.
import { z } from 'zod';
import { KINDS } from '../model/item/item.ts';
import type { Source } from '../sources/define.ts';

export interface Collected {
  sources: Source[];
  /** A sentence each. */
  problems: string[];
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const NAME_MAX = 64;

const Shape = z.object({
  name: z
    .string('is missing')
    .max(NAME_MAX, `is longer than ${NAME_MAX} characters`)
    .regex(NAME, 'has to be lower-case words with hyphens, such as acme-jobs'),
  title: z.string('is missing').min(1, 'is empty'),
  kind: z.enum(KINDS as [string, ...string[]], `has to be one of ${KINDS.join(', ')}`),
  lane: z.string('is missing; http is the usual one').regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'is no name of a lane'),
  hosts: z.array(z.string('has to be a host name'), 'has to be a list of host names'),
  pace: z.object(
    { concurrency: z.int('has to be a whole number').min(1, 'has to be at least 1'), delayMs: z.number().min(0) },
    'has to be { concurrency, delayMs }',
  ),
  params: z.custom(
    (value) => typeof (value as z.ZodType | null)?.safeParse === 'function' && '_zod' in (value as object),
    'has to be a schema made with z of windrow/sources (zod 4)',
  ),
  scrape: z.custom((value) => typeof value === 'function', 'has to be a function'),
  detect: z.custom((value) => typeof value === 'function', 'has to be a function').optional(),
});

/** `exported` is the namespace of the module: a configuration, a source or a list of sources as its default, or sources by name. */
export function collectSources(exported: Readonly<Record<string, unknown>>): Collected {
  const candidates = new Set(Object.values(exported).flatMap(candidatesIn));
  const collected: Collected = { sources: [], problems: [] };
  for (const candidate of candidates) {
    const wrong = problemsOf(candidate);
    if (wrong.length > 0) collected.problems.push(...wrong);
    else collected.sources.push(candidate as Source);
  }
  if (candidates.size === 0)
    collected.problems.push(
      'it exports no source; export default defineConfig({ sources: [...] }), or a source made with defineSource',
    );
  return collected;
}

function candidatesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  if ('sources' in value) return Array.isArray(value.sources) ? value.sources : [value.sources];
  return 'scrape' in value ? [value] : [];
}

function problemsOf(candidate: unknown): string[] {
  const name = (candidate as { name?: unknown } | null)?.name;
  const about = typeof name === 'string' ? `source "${name}": ` : 'a source: ';
  const checked = Shape.safeParse(candidate);
  if (!checked.success)
    return checked.error.issues.map(({ path, message }) => `${about}${[path.join('.'), message].join(' ').trim()}`);
  try {
    z.toJSONSchema((candidate as Source).params, { io: 'input', unrepresentable: 'any' });
    return [];
  } catch (error) {
    return [
      `${about}params cannot be shown as JSON Schema (${error instanceof Error ? error.message : String(error)})`,
    ];
  }
}
