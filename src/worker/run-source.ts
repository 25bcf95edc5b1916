// Runs a source: parameters checked by its schema, items passed on one by one. Used by the attempts of a worker and by scraping without a worker, in
// this thread (`runHere`) or in another (reading/).
// What a reader would get wrong: it ends when the signal aborts, even if the source never returns.
import { AppError } from '../model/errors.ts';
import type { Item } from '../model/item/item.ts';
import { type Origins, originsOf } from '../model/provenance/origins.ts';
import type { Notes, Source } from '../sources/define.ts';
import type { Web } from '../web/port.ts';

/** What the web layer and the result need to know of a source. */
export type SourceFacts = Pick<Source, 'name' | 'kind' | 'pace' | 'policy' | 'version'>;

export interface SourceRun {
  /** Name of the source. */
  source: string;
  params: Record<string, unknown>;
  notes: Notes;
  signal: AbortSignal;
  /** Called once, when the source was found. */
  openWeb(source: SourceFacts): Web;
  /** The source goes on when it resolves. `origins`: where the fields came from, if it says so. */
  onItem(item: Item, origins?: Origins): void | Promise<void>;
}

export type RunSource = (run: SourceRun) => Promise<void>;

type Found = Source | undefined;

/** The source's code runs in this thread, which stands still as long as it computes. */
export function runHere(sourceOf: (name: string) => Found | Promise<Found>): RunSource {
  return async (run) => {
    const { signal } = run;
    const source = foundSource(run.source, await sourceOf(run.source));
    const web = run.openWeb(source);
    const params = checkedParams(source, run.params);
    const collect = async (): Promise<void> => {
      for await (const item of source.scrape(params, web, run.notes)) {
        if (signal.aborted) return;
        const taken = run.onItem(item, originsOf(item));
        if (taken) await taken;
      }
    };
    await Promise.race([collect(), aborted(signal)]);
  };
}

export function foundSource(name: string, source: Found): Source {
  if (!source) throw new AppError('unknown_source', `This worker has no source "${name}".`);
  return source;
}

export function checkedParams(source: Source, given: Record<string, unknown>): unknown {
  const params = source.params.safeParse(given);
  if (params.success) return params.data;
  throw new AppError('invalid_params', params.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '));
}

/** Rejects when the signal aborts; a source that ignores its signal must not hold the slot. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
