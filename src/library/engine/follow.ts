// Follows a run: every state that differs from the one before, the last one being its end. Updates on the wire may be lost, so the store is asked now and
// then as well.
import { isFinal } from '../../model/run/run.ts';
import type { Wire } from '../../wire/port.ts';
import type { Run } from './run.ts';

export interface FollowOptions {
  id: string;
  read(): Promise<Run>;
  wire: Pick<Wire, 'onUpdates'>;
  /** Its reason is thrown when it aborts. */
  signal: AbortSignal;
}

const ASK_EVERY_MS = 1_000;

export async function* followRun({ id, read, wire, signal }: FollowOptions): AsyncGenerator<Run, void, undefined> {
  let isChanged = false;
  let wake = (): void => {};
  const note = (): void => {
    isChanged = true;
    wake();
  };
  const stopListening = wire.onUpdates((updates) => {
    if (updates.some((update) => update.runId === id)) note();
  });
  signal.addEventListener('abort', note);
  try {
    for (let before = ''; ; ) {
      signal.throwIfAborted();
      isChanged = false;
      const run = await read();
      const state = `${run.status} ${run.completed} ${run.failed}`;
      if (state !== before) yield run;
      before = state;
      if (isFinal(run.status)) return;
      if (!isChanged) await untilWoken();
    }
  } finally {
    stopListening();
    signal.removeEventListener('abort', note);
  }

  async function untilWoken(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, ASK_EVERY_MS);
    });
    clearTimeout(timer);
  }
}
