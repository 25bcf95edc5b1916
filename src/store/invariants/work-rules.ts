// Runs and tasks: every run has a way to end, every task is in one place, counts equal rows.
import { type Invariant, WALKS } from './invariant.ts';

const { runs, runningRuns, tasks, live, queue, leases, deadLetters, spool } = WALKS;

/** One row a run: what its entries say, next to what its own counters say. */
const counted = (rows: string): string => `
  select r.id, r.status, r.total, r.completed, r.failed, count(l.pos)::int as entries,
         count(*) filter (where l.pos is not null and (l.task_id is null or o.state = 'done'))::int as done_rows,
         count(*) filter (where o.state = 'failed')::int as failed_rows,
         count(*) filter (where l.task_id is not null and o.task_id is null)::int as open_rows,
         (select count(*)::int from windrow.crawl_pages p where p.run_seq = r.seq and p.state = 'waiting') as unborn
  from ${rows} r left join windrow.run_tasks l on l.run_seq = r.seq left join windrow.outcomes o on o.task_id = l.task_id
  group by r.seq, r.id, r.status, r.total, r.completed, r.failed`;

const isLive = 'not exists (select 1 from windrow.outcomes o where o.task_id = t.id)';
const hasTask = (row: string): string => `exists (select 1 from windrow.tasks t where t.id = ${row}.task_id)`;

const REPAIR = 'A bug of Windrow, or rows were changed by hand: please report it';
const CANCEL = `${REPAIR}. Cancel its runs (windrow cancel RUN) and submit them again`;
const ORCHESTRATOR = 'Is an orchestrator running (/health), and does its log show errors?';

export const WORK_RULES: readonly Invariant[] = [
  {
    name: 'a live task waits or is leased, once',
    severity: 'fail',
    remedy: CANCEL,
    over: tasks,
    broken: (rows) => `select t.id::text, q.task_id as queued, l.task_id as leased, t.run_seq from ${rows} t
      left join windrow.queue q on q.task_id = t.id left join windrow.leases l on l.task_id = t.id
      where ${isLive} and (q.task_id is null) = (l.task_id is null)`,
  },
  {
    name: 'a live task owns its key',
    severity: 'fail',
    remedy: CANCEL,
    over: tasks,
    broken: (rows) => `select t.id::text, t.run_seq from ${rows} t where ${isLive}
      and not exists (select 1 from windrow.live v where v.key = t.key and v.task_id = t.id)`,
  },
  {
    name: 'a task belongs to a run, or is a dead letter',
    severity: 'warn',
    remedy:
      'It only takes room: tasks whose runs were deleted. They can be deleted with their rows in outcomes and task_items',
    over: tasks,
    broken: (rows) => `select t.id::text, t.run_seq from ${rows} t
      where not exists (select 1 from windrow.runs r where r.seq = t.run_seq)
        and not exists (select 1 from windrow.dead_letters d where d.task_id = t.id)
        and not exists (select 1 from windrow.shares s join windrow.runs r on r.seq = s.run_seq where s.task_id = t.id)`,
  },
  {
    name: 'a key is owned by a live task',
    severity: 'fail',
    remedy: `${REPAIR}. While the row is there, the same work waits for a task that never comes: delete the row from windrow.live`,
    over: live,
    broken: (rows) => `select v.key::text as id, v.task_id from ${rows} v where not ${hasTask('v')}
      or exists (select 1 from windrow.outcomes o where o.task_id = v.task_id)`,
  },
  ...[queue, leases].map(
    (over): Invariant => ({
      name: `what is in ${over.table} is a task that has not ended`,
      severity: 'fail',
      remedy: `${REPAIR}. Delete the row from ${over.table}: it would be scraped for nobody`,
      over,
      broken: (
        rows,
      ) => `select x.task_id::text as id, o.state from ${rows} x left join windrow.outcomes o on o.task_id = x.task_id
        where o.task_id is not null or not ${hasTask('x')}`,
    }),
  ),
  {
    name: 'no lease is over for long',
    severity: 'fail',
    remedy: `Leases that ended more than five minutes ago were not taken back. ${ORCHESTRATOR}`,
    over: leases,
    broken: (rows) =>
      `select x.task_id::text as id, x.worker, x.lease_until from ${rows} x where x.lease_until < now() - interval '5 minutes'`,
  },
  {
    name: 'a task that waits for a later time is woken then',
    severity: 'fail',
    remedy: `Tasks were due more than ten minutes ago. ${ORCHESTRATOR}`,
    over: queue,
    broken: (rows) =>
      `select x.task_id::text as id, x.due_at from ${rows} x where x.due_at < now() - interval '10 minutes'`,
  },
  {
    name: 'a run that goes on waits for tasks that exist',
    severity: 'fail',
    remedy: CANCEL,
    over: runningRuns,
    broken: (rows) => `select r.id, l.pos from ${rows} r join windrow.run_tasks l on l.run_seq = r.seq
      where r.status = 'running' and l.task_id is not null and not ${hasTask('l')}`,
  },
  {
    name: 'a run that goes on has a way to end',
    severity: 'fail',
    remedy: CANCEL,
    over: runningRuns,
    broken: (rows) =>
      `select c.* from (${counted(rows)}) c where c.status = 'running' and (c.completed + c.failed >= c.total or c.open_rows + c.unborn = 0)`,
  },
  {
    name: 'a run counts what its entries brought',
    severity: 'fail',
    remedy: `${REPAIR}. What the run shows is wrong, its results are right`,
    over: runs,
    broken: (rows) =>
      `select c.* from (${counted(rows)}) c where c.completed <> c.done_rows or c.failed <> c.failed_rows`,
  },
  {
    name: 'a run keeps its entries',
    severity: 'fail',
    remedy: `${REPAIR}. Submit again what is missing`,
    over: runs,
    broken: (rows) =>
      `select c.* from (${counted(rows)}) c where c.entries > c.total or (c.status <> 'cancelled' and c.entries + c.unborn <> c.total)`,
  },
  {
    name: 'a run ends when, and as, its counters say',
    severity: 'fail',
    remedy: CANCEL,
    over: runs,
    broken: (rows) => `select r.id, r.status, r.total, r.completed, r.failed, r.finished_at from ${rows} r
      where r.completed + r.failed > r.total or (r.status in ('completed', 'failed')) <> (r.completed + r.failed = r.total and r.status <> 'cancelled')
         or (r.status = 'failed' and r.completed > 0) or (r.status = 'completed' and r.completed = 0 and r.total > 0)
         or (r.status <> 'running') <> (r.finished_at is not null)`,
  },
  {
    name: 'a dead letter is a task that failed',
    severity: 'fail',
    remedy: `${REPAIR}. Delete the row from windrow.dead_letters: it cannot be tried again`,
    over: deadLetters,
    broken: (
      rows,
    ) => `select d.task_id::text as id, o.state from ${rows} d left join windrow.outcomes o on o.task_id = d.task_id
      where o.state is distinct from 'failed'`,
  },
  {
    name: 'what was let in is written out',
    severity: 'fail',
    remedy: `Accepted submissions have waited for more than ten minutes. ${ORCHESTRATOR}`,
    over: spool,
    broken: (rows) =>
      `select x.seq::text as id, x.runs, x.tasks, x.due_at from ${rows} x where x.spooled_at < now() - interval '10 minutes'`,
  },
];
