// Dispatch: ready tasks go onto the wire, by band and fair share, but never more than the workers can take soon, and of a host never more than it can be asked
// within a second. The others wait in the store, where they cost no slot and no attempt, survive a loss of the wire, and more urgent tasks can go first.
import { BANDS, type Band } from '../../model/task/band.ts';
import { HOST_MARK, parseLine } from '../../model/task/line.ts';
import type { SealedTask, WorkerBeat } from '../../model/task/messages.ts';
import type { Tracing } from '../../model/trace/trace.ts';
import type { QueueStore } from '../../store/queue/queue-store.ts';
import {
  FIRST_LINES,
  type HostLimit,
  LINES_AT_ONCE,
  type Pick as LinePick,
  type LookFrom,
  type ReadyLines,
} from '../../store/queue/ready.ts';
import type { SourceHoldStore } from '../../store/sources/source-store.ts';
import type { Wire } from '../../wire/port.ts';
import type { Step } from '../loops/run-loops.ts';
import { traceSent } from '../trace/trace-sent.ts';
import { allotTurns, shareRoom } from './hand-out.ts';
import { type Pace, type PaceOfSites, tasksLeft } from './pace.ts';

export interface DispatchOptions {
  store: QueueStore & Pick<SourceHoldStore, 'unparkSource'>;
  wire: Wire;
  leaseSeconds: number;
  /** Never more than this many untaken tasks on the wire for one lane. */
  maxWindow: number;
  /** Without it tasks go as they come. */
  sites?: PaceOfSites | null;
  onDispatched(lane: string, count: number): void;
  trace?: Tracing | null;
}

type Leased = [Band, SealedTask[]];

/** What to lease in each band. */
interface Choice {
  picks: Record<Band, LinePick[]>;
  hosts: Record<Band, HostLimit[]>;
}

/** Twice the slots keeps workers busy between two refills. */
const WINDOW_PER_SLOT = 2;
const MIN_WINDOW = 20;
const BATCH = 1_000;
const SIDE_BY_SIDE = 2;
/** Refills of one lane in one round: the others are looked at again after that. */
const MAX_REFILLS = 20;
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

export function createDispatch(options: DispatchOptions): Step {
  const { store, wire, sites = null, trace = null } = options;
  /** By lane. */
  const lookFrom = new Map<string, LookFrom>();
  const oneAtATime = createOneAtATime();
  let nth = 0;

  /** True when there may be more to do at once. */
  async function fill(lane: string, window: number, signal: AbortSignal): Promise<boolean> {
    // Being leased or sent: the wire does not count it yet.
    let underWay = 0;
    let refills = 0;

    async function refill(): Promise<void> {
      while (!signal.aborted && refills++ < MAX_REFILLS) {
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
    return refills > MAX_REFILLS;
  }

  /** From the queue to the wire; returns the number of tasks it read, including those that stay. */
  async function move(lane: string, room: number): Promise<number> {
    const ready = await store.readyLines(lane, { upTo: room, from: lookFrom.get(lane) ?? FIRST_LINES });
    lookFrom.set(lane, nextFrom(ready.lines.map(({ line }) => line)));
    if (ready.lines.length === 0) return 0;
    const isPaced = sites !== null && ready.lines.some(({ line }) => sites.of(parseLine(line).source) !== null);
    // Two that read the turns of a host at the same time would both give them away.
    const { leased, others } = await (isPaced ? oneAtATime(() => lease(lane, room, ready)) : lease(lane, room, ready));
    const count = leased.reduce((sum, [, tasks]) => sum + tasks.length, 0);
    if (count > 0) options.onDispatched(lane, count);
    await send(lane, leased);
    return count + others;
  }

  async function lease(lane: string, room: number, ready: ReadyLines): Promise<{ leased: Leased[]; others: number }> {
    const { holds } = ready;
    const choice = await choose(lane, room, ready);
    const leased: Leased[] = [];
    let parked = 0;
    let aside = 0;
    try {
      for (const band of BANDS) {
        const picks = choice.picks[band];
        if (picks.length === 0) continue;
        const hosts = choice.hosts[band];
        const found = await store.leaseReady({ lane, band, picks, hosts, leaseSeconds: options.leaseSeconds, holds });
        leased.push([band, found.tasks]);
        parked += found.parked;
        aside += found.aside;
      }
    } catch (error) {
      await giveBack(leased);
      throw error;
    }
    if (parked > 0 && holds) await letGo(holds.sources);
    return { leased, others: parked + aside };
  }

  async function choose(lane: string, room: number, { lines, holds, givenUp }: ReadyLines): Promise<Choice> {
    nth += 1;
    const unpaced = new Set([...(holds?.sources ?? []), ...givenUp]);
    const parts = lines.flatMap(({ line, counts }) => {
      const { source, host } = parseLine(line);
      // Tasks that are held back go nowhere, whatever their host says: they are parked. Those of a source that was given up go, to end.
      const known = unpaced.has(source) ? null : (sites?.of(source) ?? null);
      return BANDS.filter((band) => counts[band] > 0).map((band) => ({
        line,
        source,
        band,
        count: counts[band],
        pace: known?.pace ?? null,
        host: known ? (host ?? known.host) : null,
      }));
    });
    const mixed = parts.filter(({ pace, host }) => pace !== null && host === null);
    const ofMixed = mixed.length > 0 ? await store.readyHosts(lane, mixed) : [];
    const waits = [...parts.flatMap((part) => (part.host === null ? [] : [{ ...part, host: part.host }])), ...ofMixed];
    const paces = new Map<string, Pace>();
    for (const { line, host } of waits) paces.set(host, sites!.of(parseLine(line).source)!.pace);
    const left = sites === null ? new Map<string, never>() : await tasksLeft(paces, store, sites);
    const given = allotTurns(waits, new Map([...left].map(([host, one]) => [host, one.left])), nth);

    const allowed = new Map(waits.map((wait, index) => [keyOf(wait), given[index]!]));
    const demands = parts.map((part) => ({
      ...part,
      count: part.host === null ? part.count : allowed.get(keyOf(part))!,
    }));
    const limits = shareRoom(room, demands, nth);
    const choice: Choice = { picks: { high: [], medium: [], low: [] }, hosts: { high: [], medium: [], low: [] } };
    parts.forEach(({ line, band, host }, index) => {
      const limit = limits[index]!;
      if (limit === 0) return;
      const most = host === null ? null : left.get(host)!.most;
      choice.picks[band].push({ line, limit, ...(host === null ? {} : { host: { name: host, most: most! } }) });
    });
    for (const { line, band, host } of ofMixed)
      choice.hosts[band].push({ line, host, limit: allowed.get(keyOf({ line, band, host }))! });
    return choice;
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
        if (tasks.length === 0) continue;
        const startedAt = Date.now();
        await wire.sendTasks(lane, band, tasks);
        if (trace) traceSent(trace, { lane, band, tasks, startedAt });
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

  return async (signal, wake) => {
    const windows = windowOf(await wire.workers(), options.maxWindow);
    const lanes = [...windows.keys()];
    // A source of one's own has a lane for each that its workers take from, and most of these are empty most of the time.
    const ready = lanes.length > FEW_LANES ? new Set(await store.readyLanes(lanes)) : windows;
    const filled = await Promise.allSettled(
      lanes.filter((lane) => ready.has(lane)).map((lane) => fill(lane, windows.get(lane)!, signal)),
    );
    for (const one of filled) if (one.status === 'rejected') throw one.reason;
    if (filled.some((one) => one.status === 'fulfilled' && one.value)) wake();
  };
}

/** Where there are very many, some lines are looked at each time, and after the last the first again. */
function nextFrom(lines: string[]): LookFrom {
  const [hosts = [], sources = []] = [true, false].map((isHost) =>
    lines.filter((line) => line >= HOST_MARK === isHost),
  );
  return {
    sources: sources.length < LINES_AT_ONCE.sources ? FIRST_LINES.sources : sources.at(-1)!,
    hosts: hosts.length < LINES_AT_ONCE.hosts ? FIRST_LINES.hosts : hosts.at(-1)!,
  };
}

const keyOf = ({ line, band, host }: { line: string; band: Band; host: string | null }): string =>
  `${band} ${host} ${line}`;

function createOneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
