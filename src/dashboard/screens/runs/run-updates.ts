// What an update of the socket changes in a run that is shown. Pure. An update does not tell `partial` from `completed`: the end of a run is read again.
import type { Schemas } from '../../../client/routes.generated.ts';
import type { RunUpdate } from '../../live/updates.ts';

type Run = Schemas['Run'];

const LABELS: Record<RunUpdate['status'], Run['status']> = {
  PENDING: 'running',
  IN_PROGRESS: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

export const isOver = ({ status }: RunUpdate): boolean => LABELS[status] !== 'running';

export function updated<R extends Run>(run: R, update: RunUpdate | undefined): R {
  if (!update || run.status !== 'running') return run;
  const status = LABELS[update.status];
  const isPartial = status === 'completed' && update.failed > 0;
  return {
    ...run,
    completed: update.completed,
    failed: update.failed,
    total: update.total,
    status: isPartial ? 'partial' : status,
  };
}
