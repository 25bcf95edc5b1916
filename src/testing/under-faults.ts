// A source under each of the sandbox's faults in turn. What matters is that it is honest: it brings what it brings in good times, or it fails and says why.
// Fewer items without an error would be stored as the whole truth.
import type { Kind } from '../model/item/item.ts';
import type { Source } from '../sources/define.ts';
import { type RunOptions, runSource, type SourceRun } from './run-source.ts';

/** Being refused, failing servers, cut transfers, and pages that stand where an answer should be. */
export const USUAL_FAULTS = [
  '429',
  '500',
  '503',
  '403',
  '404',
  'slow:50',
  'drop',
  'reset',
  'truncated',
  'bad-gzip',
  'captcha',
  'challenge',
  'consent',
  'login',
  'soft-404',
  'empty',
] as const;

export interface FaultRun<K extends Kind = Kind> extends SourceRun<K> {
  fault: string;
  /** It failed with an error, brought as many items as without the fault, or said that something is missing. */
  isHonest: boolean;
}

export interface FaultOptions extends Omit<RunOptions, 'fault'> {
  /** As the sandbox spells them; USUAL_FAULTS unless told. */
  faults?: readonly string[];
}

export async function runUnderFaults<P, K extends Kind>(
  source: Source<P, K>,
  params: Record<string, unknown>,
  { faults = USUAL_FAULTS, ...options }: FaultOptions,
): Promise<FaultRun<K>[]> {
  const plain = await runSource(source, params, options);
  const runs: FaultRun<K>[] = [];
  for (const fault of faults) {
    const run = await runSource(source, params, { ...options, fault });
    const isWhole = run.items.length === plain.items.length || run.incomplete.length + run.skipped.length > 0;
    runs.push({ ...run, fault, isHonest: run.error !== null || isWhole });
  }
  return runs;
}
