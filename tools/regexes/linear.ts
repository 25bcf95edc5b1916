// The list of regular expressions that were found to take linear time, as hashes, and the few that a person has to vouch for.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Pattern } from './collect.ts';
import reasons from './reasons.json' with { type: 'json' };

export const LINEAR = new URL('linear.txt', import.meta.url);

export const keyOf = ({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string =>
  createHash('sha256').update(`${flags} ${source}`).digest('hex').slice(0, 12);

export const linearKeys = (): Set<string> => new Set(readFileSync(LINEAR, 'utf8').split('\n').filter(Boolean));

/** Why a pattern may stay although nothing proves it linear: the text it meets is short. */
export const reasonFor = ({ at, source }: Pattern): string | undefined =>
  reasons.find((one) => at.startsWith(`${one.file}:`) && source.startsWith(one.begins))?.because;

export const unusedReasons = (patterns: Pattern[]): string[] =>
  reasons
    .filter((one) => !patterns.some(({ at, source }) => at.startsWith(`${one.file}:`) && source.startsWith(one.begins)))
    .map((one) => `${one.file}: ${one.begins}`);
