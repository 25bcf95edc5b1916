// Runs a source: parameters checked by its schema, items passed on one by one. Used by the attempts of a worker and by scraping without a worker.
// What a reader would get wrong: it ends when the signal aborts, even if the source never returns.
import { AppError } from '../model/errors.ts';
import type { Item } from '../model/item/item.ts';
import type { Notes, Source } from '../sources/define.ts';
import type { Web } from '../web/port.ts';

export interface SourceRun {
  source: Source;
  params: Record<string, unknown>;
  notes: Notes;
  signal: AbortSignal;
  /** Called once, when the parameters were found valid. */
  openWeb(): Web;
  /** The source goes on when it resolves. */
  onItem(item: Item): void | Promise<void>;
}

export async function runSource(run: SourceRun): Promise<void> {
  const { source, signal } = run;
  const params = source.params.safeParse(run.params);
  if (!params.success)
    throw new AppError(
      'invalid_params',
      params.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '),
    );
  const web = run.openWeb();
  const collect = async (): Promise<void> => {
    for await (const item of source.scrape(params.data, web, run.notes)) {
      if (signal.aborted) return;
      const taken = run.onItem(item);
      if (taken) await taken;
    }
  };
  await Promise.race([collect(), aborted(signal)]);
}

/** Rejects when the signal aborts; a source that ignores its signal must not hold the slot. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
