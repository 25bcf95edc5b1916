// What hangs on tasks and runs, and what is made of their results: nothing points to rows that are gone, nothing waits for ever.
import { type Invariant, WALKS, type Walk } from './invariant.ts';

const { outcomes, checkpoints, earlierAttempts, taskItems, shares, runTasks, sessions, positions, postings } = WALKS;
const { schedules, fires, deliveries } = WALKS;

const ORCHESTRATOR = 'Is an orchestrator running (/health), and does its log show errors?';
const IN_ORDER = 'It only takes room: delete the rows';

const orphans = (over: Walk): Invariant => ({
  name: `what is in ${over.table} belongs to a task`,
  severity: 'warn',
  remedy: IN_ORDER,
  over,
  broken: (rows) => `select x.task_id::text as id from ${rows} x
    where not exists (select 1 from windrow.tasks t where t.id = x.task_id)`,
});

export const DATA_RULES: readonly Invariant[] = [
  ...[outcomes, checkpoints, earlierAttempts, taskItems, shares].map(orphans),
  {
    name: 'an entry belongs to a run',
    severity: 'warn',
    remedy: IN_ORDER,
    over: runTasks,
    broken: (rows) => `select x.run_seq || '/' || x.pos as id from ${rows} x
      where not exists (select 1 from windrow.runs r where r.seq = x.run_seq)`,
  },
  {
    name: 'a session of a company ends with its run',
    severity: 'fail',
    remedy: `Its run has ended or is gone, and nobody settled it. ${ORCHESTRATOR}`,
    over: sessions,
    broken: (rows) => `select s.id::text, s.run_id from ${rows} s left join windrow.runs r on r.seq = s.run_seq
      where s.status = 'running' and s.started_at < now() - interval '10 minutes'
        and (r.seq is null or (r.status <> 'running' and r.finished_at < now() - interval '10 minutes'))`,
  },
  {
    name: 'a position is open, or closed at some time',
    severity: 'fail',
    remedy: 'Rows were changed by hand. The next full scrape of the company opens or closes it again',
    over: positions,
    broken: (rows) => `select p.key::text as id, p.company_id from ${rows} p where p.active <> (p.closed_at is null)`,
  },
  {
    name: 'a posting has its group, or waits for one',
    severity: 'warn',
    remedy:
      'It is in no list of jobs. To have it grouped: update windrow.postings set group_due = true where group_id is null',
    over: postings,
    broken: (rows) => `select p.key::text as id from ${rows} p where p.group_id is null and not p.group_due`,
  },
  {
    name: 'a schedule that is on has a next time',
    severity: 'fail',
    remedy: `It will not run again: its cron expression has no next date, or nobody plans it. Change or disable it (windrow schedules). ${ORCHESTRATOR}`,
    over: schedules,
    broken: (rows) => `select s.id, s.cron, s.next_run_at from ${rows} s where s.enabled
      and (s.next_run_at = 'infinity' or (s.next_run_at is null and s.updated_at < now() - interval '10 minutes')
        or (s.next_run_at < now() - interval '10 minutes'
          and not exists (select 1 from windrow.runs r where r.id = s.last_run_id and r.status = 'running')))`,
  },
  {
    name: 'a schedule that was due is started',
    severity: 'fail',
    remedy: `It was due and has not been started for ten minutes. ${ORCHESTRATOR}`,
    over: fires,
    broken: (rows) => `select f.schedule_id as id, f.instant, f.reason from ${rows} f
      where f.state = 'waiting' and f.held_until < now() - interval '10 minutes'`,
  },
  {
    name: 'a webhook delivery that is due is sent',
    severity: 'fail',
    remedy: `It has been due for 15 minutes, and its receiver is not resting. ${ORCHESTRATOR} Can it reach the receiver's network?`,
    over: deliveries,
    broken: (
      rows,
    ) => `select d.seq::text as id, d.receiver, d.next_at from ${rows} d left join windrow.receivers r on r.id = d.receiver
      where d.state = 'waiting' and d.next_at < now() - interval '15 minutes'
        and (r.id is null or coalesce(r.open_at, '-infinity') < now() - interval '15 minutes')`,
  },
];
