// Why the tasks of a source wait although nothing holds them back: no worker takes them. Pure.
import type { WorkerBeat } from '../task/messages.ts';
import type { SourceAbout } from './site.ts';

type Staffed = Pick<SourceAbout, 'name' | 'lane' | 'module'>;
type Worker = Pick<WorkerBeat, 'lanes' | 'draining'>;

/** Workers that take tasks of this source now. */
export function workersOf({ lane }: Staffed, workers: readonly Worker[]): number {
  return workers.filter((worker) => !worker.draining && worker.lanes.includes(lane)).length;
}

/** Of those that take tasks now. */
export const slotsOf = (workers: readonly Pick<WorkerBeat, 'slots' | 'draining'>[]): number =>
  workers.reduce((sum, { slots, draining }) => sum + (draining ? 0 : slots), 0);

/** Null when some worker takes them. */
export function whyUntaken(source: Staffed, workers: readonly Worker[]): string | null {
  if (workersOf(source, workers) > 0) return null;
  if (workers.length === 0) return 'no worker is running';
  if (workers.every((worker) => worker.draining)) return 'every worker is draining';
  return source.module === null
    ? `no worker takes tasks of lane ${source.lane}`
    : `no worker has the source ${source.name}`;
}
