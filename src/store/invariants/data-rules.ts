// What hangs on tasks and runs, and what is made of their results: nothing points to rows that are gone, nothing waits for ever.
import { type Invariant, WALKS, type Walk } from './invariant.ts';

const { outcomes, checkpoints, earlierAttempts, taskItems, shares, runTasks, sessions, positions, postings } = WALKS;
const { schedules, fires, deliveries, heldItems, qualityDue, keys } = WALKS;

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
  {
    name: 'what is kept apart waits for a decision',
    severity: 'warn',
    remedy:
      'Its check was decided or is gone, and nobody will ask for the items again: delete the rows of windrow.held_items',
    over: heldItems,
    // While a task goes on its parts come before its check.
    broken: (rows) => `select h.task_id::text as id, h.kind, h.source from ${rows} h
      where h.held_at < now() - interval '10 minutes'
        and not exists (select 1 from windrow.live l where l.task_id = h.task_id)
        and not exists (select 1 from windrow.quality_checks q where q.task_id = h.task_id and q.state = 'held')`,
  },
  {
    name: 'a run of articles that has ended is compared with those before it',
    severity: 'warn',
    remedy: `Its quality is not known. ${ORCHESTRATOR}`,
    over: qualityDue,
    broken: (
      rows,
    ) => `select x.run_seq::text as id, r.finished_at from ${rows} x left join windrow.runs r on r.seq = x.run_seq
      where r.seq is null or r.finished_at < now() - interval '10 minutes'`,
  },
  {
    name: 'a key that was replaced comes to its end',
    severity: 'warn',
    remedy: 'Both keys work without an end, and the old one was to go: windrow keys revoke <id>',
    over: keys,
    broken: (
      rows,
    ) => `select k.id, k.name, n.id as replaced_by from ${rows} k join windrow.api_keys n on n.replaces = k.id
      where k.revoked_at is null and k.expires_at is null and n.revoked_at is null`,
  },
  {
    name: 'dead letters are counted',
    severity: 'fail',
    remedy:
      'Groups of dead letters and their metric are wrong; rows were changed past the triggers. In one transaction: lock table windrow.dead_letters in share mode; delete from windrow.dead_letter_counts; insert into windrow.dead_letter_counts select source, category, code, count(*) from windrow.dead_letters group by 1, 2, 3',
    over: null,
    broken: () => `select source || ' ' || category || ' ' || code as id, c.n as counted, d.n as found
      from (select source, category, code, sum(n) as n from windrow.dead_letter_counts group by 1, 2, 3 having sum(n) <> 0) c
      full join (select source, category, code, count(*) as n from windrow.dead_letters group by 1, 2, 3) d using (source, category, code)
      where c.n is distinct from d.n`,
  },
];
