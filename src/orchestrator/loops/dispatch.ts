// Dispatch: due tasks go onto the wire, by band and fair share, but never more than the workers can take soon. The others wait in the store, where they
// survive a loss of the wire and more urgent tasks can still go first.
import { BANDS, type Band, shareOut } from '../../model/task/band.ts';
import type { SealedTask, WorkerBeat } from '../../model/task/messages.ts';
import type { QueueStore } from '../../store/queue/queue-store.ts';
import type { SourceHoldStore } from '../../store/sources/source-store.ts';
import type { Wire } from '../../wire/port.ts';

export interface DispatchOptions {
  store: QueueStore & Pick<SourceHoldStore, 'unparkSource'>;
  wire: Wire;
  leaseSeconds: number;
  /** Never more than this many untaken tasks on the wire for one lane. */
  maxWindow: number;
  onDispatched(lane: string, count: number): void;
}

type Leased = [Band, SealedTask[]];

/** Twice the slots keeps workers busy between two refills. */
const WINDOW_PER_SLOT = 2;
const MIN_WINDOW = 20;
const BATCH = 1_000;
const SIDE_BY_SIDE = 2;
/** Looking at so many one by one costs no more than asking which have work. */
const FEW_LANES = 3;

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
    // Being leased or sent: the wire does not count it yet.
    let underWay = 0;

    async function refill(): Promise<void> {
      while (!signal.aborted) {
        const before = underWay;
        // Read first: while the wire is down this rejects, and no task leaves the queue.
        const depth = await wire.depth(lane);
        // Tasks that the other dispatcher sent meanwhile may be missing from the depth.
        const free = window - depth - Math.max(before, underWay);
        // A nearly full window is not refilled: many small refills are expensive.
        if (free < window / 4) return;
        const room = Math.min(BATCH, free);
        underWay += room;
        try {
          if ((await move(lane, room)) < room) return;
        } finally {
          underWay -= room;
        }
      }
    }

    // While one waits for the wire, the other has the store.
    const ended = await Promise.allSettled(Array.from({ length: SIDE_BY_SIDE }, refill));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  /** From the queue to the wire; returns the number of tasks it read, including those held back. */
  async function move(lane: string, room: number): Promise<number> {
    const { counts, holds } = await store.countReady(lane, room);
    const share = shareOut(room, counts);
    const leased: Leased[] = [];
    let parked = 0;
    try {
      for (const band of BANDS) {
        if (share[band] === 0) continue;
        const limit = share[band];
        const found = await store.leaseReady({ lane, band, limit, leaseSeconds: options.leaseSeconds, holds });
        leased.push([band, found.tasks]);
        parked += found.parked;
      }
    } catch (error) {
      await giveBack(leased);
      throw error;
    }
    const count = leased.reduce((sum, [, tasks]) => sum + tasks.length, 0);
    if (count > 0) options.onDispatched(lane, count);
    await send(lane, leased);
    if (parked > 0 && holds) await letGo(holds.sources);
    return count + parked;
  }

  /**
   * If a source was resumed after its hold was read, its tasks were released before these were parked, and nobody else would release them. So the hold is
   * read again after parking: either the source is resumed by now, or a later resume finds them.
   */
  async function letGo(sources: string[]): Promise<void> {
    for (const source of await store.sourcesReleasedSince(sources)) await store.unparkSource(source);
  }

  async function send(lane: string, leased: Leased[]): Promise<void> {
    for (const [index, [band, tasks]] of leased.entries()) {
      try {
        if (tasks.length > 0) await wire.sendTasks(lane, band, tasks);
      } catch (error) {
        await giveBack(leased.slice(index));
        throw error;
      }
    }
  }

  /**
   * Tasks that could not be sent go back to the queue at once; otherwise their lease would run out, and they would be suspected of crashing a worker. Some
   * may have arrived: their worker finds out that another attempt has the lease.
   */
  async function giveBack(leased: Leased[]): Promise<void> {
    const tasks = leased.flatMap(([, sealed]) => sealed.map(({ task_id, attempt }) => ({ task_id, attempt })));
    // If the store is down too, the leases run out; the caller reports the first error.
    if (tasks.length > 0) await store.giveBack(tasks).catch(() => {});
  }

  return async (signal) => {
    const windows = windowOf(await wire.workers(), options.maxWindow);
    const lanes = [...windows.keys()];
    // A source of one's own has a lane for each that its workers take from, and most of these are empty most of the time.
    const ready = lanes.length > FEW_LANES ? new Set(await store.readyLanes(lanes)) : windows;
    for (const [lane, window] of windows) if (ready.has(lane)) await fill(lane, window, signal);
  };
}
