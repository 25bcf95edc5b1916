// What of the waiting tasks goes now: pure, so that fairness can be read and tested. Two steps: the turns of a host go to those who wait for it, then the room on
// the wire goes to bands, sources and owners. Runs share by the turns of their tasks, which the store orders by.
import { BANDS, type Band, bandOrder, shareOut } from '../../model/task/band.ts';

/** Tasks of one line and band that wait for one host. */
export interface HostWait {
  line: string;
  band: Band;
  host: string;
  count: number;
}

/**
 * How many tasks of each entry may go, by the turns that their hosts have left. `nth` differs from call to call: a host with one turn at a time is given to
 * each band and each line in the end.
 */
export function allotTurns(waits: readonly HostWait[], turns: ReadonlyMap<string, number>, nth: number): number[] {
  const given = waits.map(() => 0);
  for (const [host, indexes] of Map.groupBy(waits.keys(), (index) => waits[index]!.host)) {
    const left = turns.get(host) ?? 0;
    if (indexes.length === 1) given[indexes[0]!] = Math.min(left, waits[indexes[0]!]!.count);
    else allotOne(indexes, left);
  }
  return given;

  function allotOne(indexes: number[], left: number): void {
    for (let turn = nth; turn < nth + left; turn++) {
      const open = indexes.filter((index) => given[index]! < waits[index]!.count);
      if (open.length === 0) return;
      const band = bandOrder(turn).find((one) => open.some((index) => waits[index]!.band === one))!;
      const here = open.filter((index) => waits[index]!.band === band);
      const fewest = Math.min(...here.map((index) => given[index]!));
      const next = here.filter((index) => given[index] === fewest);
      given[next[turn % next.length]!]! += 1;
    }
  }
}

/** What waits in one line and band, and may go. */
export interface Demand {
  band: Band;
  source: string;
  count: number;
}

/** How many of each go when there is room for so many: bands by their shares, in a band each source as many as the others, and so each line of a source. */
export function shareRoom(room: number, demands: readonly Demand[], nth: number): number[] {
  const waiting: Record<Band, number> = { high: 0, medium: 0, low: 0 };
  for (const { band, count } of demands) waiting[band] += count;
  const share = shareOut(room, waiting);
  const given = demands.map(() => 0);
  for (const band of BANDS) {
    const sources = [
      ...Map.groupBy(
        [...demands.keys()].filter((index) => demands[index]!.band === band),
        (index) => demands[index]!.source,
      ).values(),
    ];
    const wanted = (indexes: number[]): number => indexes.reduce((sum, index) => sum + demands[index]!.count, 0);
    const parts = evenly(share[band], sources.map(wanted), nth);
    sources.forEach((indexes, place) => {
      const counts = indexes.map((index) => demands[index]!.count);
      evenly(parts[place]!, counts, nth).forEach((count, at) => {
        given[indexes[at]!] = count;
      });
    });
  }
  return given;
}

/** As much for each as for the others, and what one does not want for the rest. What cannot be divided goes to another one with every call. */
export function evenly(total: number, wanted: readonly number[], nth: number): number[] {
  const given = wanted.map(() => 0);
  let left = Math.min(
    total,
    wanted.reduce((sum, one) => sum + one, 0),
  );
  let open = [...wanted.keys()].filter((index) => wanted[index]! > 0);
  while (left >= open.length && open.length > 0) {
    const each = Math.floor(left / open.length);
    for (const index of open) {
      const more = Math.min(each, wanted[index]! - given[index]!);
      given[index]! += more;
      left -= more;
    }
    open = open.filter((index) => given[index]! < wanted[index]!);
  }
  for (let n = 0; n < left; n++) given[open[(nth + n) % open.length]!]! += 1;
  return given;
}
