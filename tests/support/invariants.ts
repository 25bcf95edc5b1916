// What must hold whatever happened (facts: I1–I5), asked of the database itself and not of the code under test. `problems` is empty when all
// is well, and otherwise says which rule was broken by which rows, so that a failing fault test teaches something.
import { Client } from 'pg';
import { expect } from 'vitest';
import { pageTruth } from './web/target.ts';

type Row = Record<string, unknown>;
export type Sql = <R extends Row = Row>(text: string, values?: unknown[]) => Promise<R[]>;

interface Rule {
  name: string;
  /** Selects the rows that break the rule. */
  sql: string;
  /** Holds only when nothing is under way any more. */
  whenQuiet?: boolean;
}

/** One row a run: what its entries say, next to what its own counters say. */
const COUNTED = `
  select r.id, r.status, r.total, r.completed, r.failed, count(l.pos)::int as entries,
         count(*) filter (where l.pos is not null and (l.task_id is null or o.state = 'done'))::int as done_rows,
         count(*) filter (where o.state = 'failed')::int as failed_rows
  from windrow.runs r left join windrow.run_tasks l on l.run_seq = r.seq left join windrow.outcomes o on o.task_id = l.task_id
  group by r.seq`;

const RULES: Rule[] = [
  {
    name: 'I1 every run has ended',
    sql: `select id, status, total, completed, failed from windrow.runs where status = 'running'`,
    whenQuiet: true,
  },
  {
    name: 'I1 every task has ended',
    sql: 'select id, key from windrow.tasks t where not exists (select 1 from windrow.outcomes o where o.task_id = t.id)',
    whenQuiet: true,
  },
  {
    name: 'I1 everything that was let in is written out',
    sql: 'select seq, runs, tasks, due_at from windrow.submission_spool',
    whenQuiet: true,
  },
  { name: 'I5 nothing is leased', sql: 'select task_id, worker from windrow.leases', whenQuiet: true },
  { name: 'I5 nothing waits', sql: 'select task_id, due_at from windrow.queue', whenQuiet: true },
  {
    name: 'a live task waits or is leased, once',
    sql: `select t.id, q.task_id as queued, l.task_id as leased from windrow.tasks t
          left join windrow.queue q on q.task_id = t.id left join windrow.leases l on l.task_id = t.id
          where not exists (select 1 from windrow.outcomes o where o.task_id = t.id) and (q.task_id is null) = (l.task_id is null)`,
  },
  {
    name: 'a live task owns its key',
    sql: `select t.id from windrow.tasks t where not exists (select 1 from windrow.outcomes o where o.task_id = t.id)
          and not exists (select 1 from windrow.live v where v.key = t.key and v.task_id = t.id)`,
  },
  {
    name: 'a key is owned by a live task',
    sql: `select v.* from windrow.live v where not exists (select 1 from windrow.tasks t where t.id = v.task_id)
          or exists (select 1 from windrow.outcomes o where o.task_id = v.task_id)`,
  },
  {
    name: 'an ended task neither waits nor is leased',
    sql: `select o.task_id, o.state from windrow.outcomes o where exists (select 1 from windrow.queue q where q.task_id = o.task_id)
          or exists (select 1 from windrow.leases l where l.task_id = o.task_id)`,
  },
  {
    name: 'what waits or is leased is a task',
    sql: `select task_id from (select task_id from windrow.queue union all select task_id from windrow.leases) x
          where not exists (select 1 from windrow.tasks t where t.id = x.task_id)`,
  },
  {
    name: 'I4 a run that goes on waits for tasks that exist',
    sql: `select r.id, l.pos from windrow.runs r join windrow.run_tasks l on l.run_seq = r.seq
          where r.status = 'running' and l.task_id is not null and not exists (select 1 from windrow.tasks t where t.id = l.task_id)`,
  },
  {
    name: 'a run that goes on waits for something',
    sql: `select * from (${COUNTED}) c where status = 'running' and completed + failed >= total`,
  },
  {
    name: 'I2 a run counts what its entries brought',
    sql: `select * from (${COUNTED}) c where completed <> done_rows or failed <> failed_rows`,
  },
  {
    name: 'a run keeps its entries',
    sql: `select * from (${COUNTED}) c where entries > total or (status <> 'cancelled' and entries <> total)`,
  },
  {
    name: 'a run ends when, and as, its counters say',
    sql: `select id, status, total, completed, failed, finished_at from windrow.runs
          where completed + failed > total or (status in ('completed', 'failed')) <> (completed + failed = total and status <> 'cancelled')
             or (status = 'failed' and completed > 0) or (status = 'completed' and completed = 0 and total > 0)
             or (status <> 'running') <> (finished_at is not null)`,
  },
  {
    name: 'I2 every success has its item',
    sql: `select o.task_id from windrow.outcomes o join windrow.tasks t on t.id = o.task_id
          where o.state = 'done' and t.source = 'article' and not exists (select 1 from windrow.articles a where a.key = t.key)`,
  },
  {
    name: 'I2 no item is stored twice',
    sql: 'select url, count(*)::int from windrow.articles group by url having count(*) > 1',
  },
  {
    name: 'I3 no task had more attempts than it may',
    sql: `select o.task_id, o.attempts, t.message->>'max_retries' as max_retries from windrow.outcomes o join windrow.tasks t on t.id = o.task_id
          where o.attempts > (t.message->>'max_retries')::int + 2`,
  },
  {
    name: 'a dead letter is a task that failed',
    sql: `select d.task_id from windrow.dead_letters d left join windrow.outcomes o on o.task_id = d.task_id where o.state is distinct from 'failed'`,
  },
];

/** Everything that is wrong, as sentences; at most a few rows of each. */
export async function problems(sql: Sql, options: { isQuiet: boolean }): Promise<string[]> {
  const found: string[] = [];
  for (const rule of RULES) {
    if (rule.whenQuiet && !options.isQuiet) continue;
    const rows = await sql(`${rule.sql} limit 5`);
    if (rows.length > 0) found.push(`${rule.name}: ${JSON.stringify(rows)}`);
  }
  return found;
}

/** All invariants of a database where nothing should be under way any more. */
export async function expectInvariants(databaseUrl: string): Promise<void> {
  const database = await openSql(databaseUrl);
  try {
    expect(await problems(database.sql, { isQuiet: true })).toEqual([]);
    await expectTruth(database.sql);
  } finally {
    await database.close();
  }
}

/** Whatever page of the target is stored says what the page says. */
export async function expectTruth(sql: Sql): Promise<void> {
  const rows = await sql<{ url: string; title: string; content: string }>(
    `select url, title, content from windrow.articles where url ~ '/page/[0-9]+(\\?|$)'`,
  );
  const wrong = rows.filter(({ url, title, content }) => {
    const truth = pageTruth(Number(/\/page\/(\d+)/.exec(url)?.[1]));
    return title !== truth.title || truth.paragraphs.some((text) => !content.includes(text));
  });
  expect(wrong.map(({ url, title }) => ({ url, title }))).toEqual([]);
}

/** A connection that a server's restart does not take the test down with. */
export async function openSql(databaseUrl: string): Promise<{ sql: Sql; close(): Promise<void> }> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  return {
    sql: async <R extends Row>(text: string, values: unknown[] = []) => (await client.query<R>(text, values)).rows,
    close: () => client.end(),
  };
}
