// What must hold whatever happened (facts: I1–I5), asked of the database itself: the invariants of the product, and some that hold only in a test. `problems` is
// empty when all is well, and otherwise says which rule was broken by which rows, so that a failing fault test teaches something.
import { Client } from 'pg';
import { expect } from 'vitest';
import { INVARIANTS } from '../../src/store/invariants/invariants.ts';
import { pageTruth } from './web/target.ts';

type Row = Record<string, unknown>;
export type Sql = <R extends Row = Row>(text: string, values?: unknown[]) => Promise<R[]>;

/** What holds only where nothing is under way any more, or where nothing was deleted yet. */
const OF_TESTS: { name: string; sql: string; whenQuiet?: boolean }[] = [
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
];

/** The same statements that `windrow doctor --deep` asks. Those about the server are not the test's: others use it too. */
const OF_PRODUCT = INVARIANTS.flatMap(({ name, over, broken }) =>
  over ? [{ name, sql: broken(over.table), whenQuiet: false }] : [],
);

/** Everything that is wrong, as sentences; at most a few rows of each. */
export async function problems(sql: Sql, options: { isQuiet: boolean }): Promise<string[]> {
  const found: string[] = [];
  for (const rule of [...OF_TESTS, ...OF_PRODUCT]) {
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
