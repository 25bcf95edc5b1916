// Dispatch: what is due goes onto the wire, by band and fair share, but never more than the workers can take soon. Everything else waits
// in the store, where it survives the wire and can still be overtaken by something more urgent.
import { BANDS, type Band, shareOut } from '../model/band.ts';
import type { SealedTask, WorkerBeat } from '../model/messages.ts';
import type { Store } from '../store/store.ts';
import type { Wire } from '../wire/port.ts';

export interface DispatchOptions {
  store: Store;
  wire: Wire;
  leaseSeconds: number;
  /** Never more than this many untaken tasks on the wire for one lane. */
  maxWindow: number;
  onDispatched(lane: string, count: number): void;
}

/** Twice the slots keeps workers busy between two refills. */
const WINDOW_PER_SLOT = 2;
const MIN_WINDOW = 20;
const BATCH = 1_000;

export function windowOf(workers: WorkerBeat[], maxWindow: number): Map<string, number> {
  const slots = new Map<string, number>();
  for (const worker of workers) {
    if (worker.draining) continue;
    for (const lane of worker.lanes) slots.set(lane, (slots.get(lane) ?? 0) + worker.slots);
  }
  for (const [lane, count] of slots)
    slots.set(lane, Math.min(maxWindow, Math.max(MIN_WINDOW, count * WINDOW_PER_SLOT)));
  return slots;
}

export function createDispatch(options: DispatchOptions): (signal: AbortSignal) => Promise<void> {
  const { store, wire } = options;

  async function fill(lane: string, window: number, signal: AbortSignal): Promise<void> {
    // One send is under way while the store leases the next batch.
    let sending: Promise<void> = Promise.resolve();
    let inFlight = 0;
    try {
      while (!signal.aborted) {
        // Asked first: while the wire is away this rejects, and no task leaves the queue.
        const room = Math.min(BATCH, window - inFlight - (await wire.depth(lane)));
        // A nearly full window is left alone: many small refills cost more than they bring.
        if (room < window / 4) return;
        const share = shareOut(room, await store.countReady(lane, room));
        const leased: [Band, SealedTask[]][] = [];
        for (const band of BANDS) {
          if (share[band] === 0) continue;
          leased.push([
            band,
            await store.leaseReady({ lane, band, limit: share[band], leaseSeconds: options.leaseSeconds }),
          ]);
        }
        await sending;
        inFlight = leased.reduce((sum, [, tasks]) => sum + tasks.length, 0);
        if (inFlight > 0) options.onDispatched(lane, inFlight);
        sending = send(lane, leased);
        if (inFlight < room) return;
      }
    } finally {
      await sending;
    }
  }

  async function send(lane: string, leased: [Band, SealedTask[]][]): Promise<void> {
    for (const [band, tasks] of leased) if (tasks.length > 0) await wire.sendTasks(lane, band, tasks);
  }

  return async (signal) => {
    const windows = windowOf(await wire.workers(), options.maxWindow);
    for (const [lane, window] of windows) await fill(lane, window, signal);
  };
}
