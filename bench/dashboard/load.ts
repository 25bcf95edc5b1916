// A store that has been used: a million tasks (or as many as asked for) in runs of all kinds, most of them ended, a tenth waiting, one in fifty a dead letter; and a fifth
// as many postings, articles and products, and what a week of tallies, companies, sessions and positions leaves behind.
import type pg from 'pg';
import { loadPostings } from '../data/load.ts';

const TASKS_A_RUN = 50;
/** Of a search: one for each site. */
const SITES = 5;
const SOURCES = [
  'article',
  'indeed',
  'linkedin',
  'google-shopping',
  'greenhouse',
  'glassdoor',
  'ziprecruiter',
  'lever',
];
const NAMES = `array['${SOURCES.join("','")}']`;
const LIMIT_MS = 10 * 60_000;

/** Statements in order; `$rows` tasks. */
const STATEMENTS = (rows: number): string[] => {
  // Each fifty tasks are a run, or ten searches: their numbers are ten apart.
  const runs = Math.ceil(rows / TASKS_A_RUN) * 10;
  const ended = Math.floor(runs * 0.9);
  const items = Math.ceil(rows / 5);
  const kind = `(array['article','article','article','posting','cart','company'])[1 + (r - 1) / 10 % 6]`;
  const total = `case ${kind} when 'posting' then ${SITES} else ${TASKS_A_RUN} end`;
  const source = `(case ${kind} when 'article' then 'article' when 'posting' then (${NAMES})[2 + pos % 2 * 4] when 'cart' then 'google-shopping' else 'greenhouse' end)`;
  // The newest run has just come; the oldest is 30 days old.
  const at = `now() - make_interval(secs => (${runs} - r) * ${(30 * 86_400) / runs}::float8)`;
  const of = `generate_series(1, ${rows}) n cross join lateral (select (n - 1) / ${TASKS_A_RUN} as block, (n - 1) % ${TASKS_A_RUN} as place) b cross join lateral (
    select case when block % 6 = 3 then 10 * block + 1 + place / ${SITES} else 10 * block + 1 end as r, case when block % 6 = 3 then place % ${SITES} else place end as pos) p`;
  const isDead = `n % 50 = 7`;
  return [
    `insert into runs (seq, id, kind, status, total, completed, failed, request_id, options, created_at, updated_at, finished_at) overriding system value
     select r, 'job_' || lpad(to_hex(r), 12, '0'), ${kind}, case when r > ${ended} then 'running' when r % 9 = 0 then 'failed' else 'completed' end, ${total},
       case when r > ${ended} then 0 else ${total} - 1 end, case when r > ${ended} then 0 else 1 end, 'load',
       case when ${kind} = 'posting' then jsonb_build_object('search_term', 'term ' || r % 500) end,
       ${at}, ${at} + interval '1 minute', case when r > ${ended} then null else ${at} + interval '1 minute' end
     from generate_series(1, ${runs}) r where r % 10 = 1 or (r - 1) / 10 % 6 = 3`,
    `select setval(pg_get_serial_sequence('runs', 'seq'), ${runs})`,
    `insert into tasks (id, key, source, lane, run_seq, message, created_at)
     select md5('task ' || n)::uuid, md5('key ' || n)::uuid, ${source}, case when n % 10 = 0 then 'browser' else 'http' end, r,
       json_build_object('task_id', md5('task ' || n)::uuid, 'run_id', 'job_' || lpad(to_hex(r), 12, '0'), 'scraper_type', ${source}, 'priority', 1 + n % 10,
         'params', json_build_object('url', 'https://site-' || n % 500 || '.example/' || n), 'created_at', ${at}, 'timeout', 60, 'max_retries', 3), ${at}
     from ${of}`,
    `insert into run_tasks (run_seq, pos, task_id, item_key, ref)
     select r, pos, md5('task ' || n)::uuid, md5('item ' || n % ${items})::uuid,
       jsonb_build_object(case ${kind} when 'article' then 'url' when 'posting' then 'site' when 'cart' then 'item' else 'company' end,
         case ${kind} when 'article' then 'https://site-' || n % 500 || '.example/' || n when 'posting' then ${source} else 'thing ' || n % 300 end)
     from ${of}`,
    `insert into outcomes (task_id, state, attempts, error, metadata, finished_at)
     select md5('task ' || n)::uuid, case when ${isDead} then 'failed' else 'done' end, 1 + (n % 3),
       case when ${isDead} then jsonb_build_object('category', 'http', 'code', 'http_5xx', 'message', '503 Service Unavailable', 'retryable', true) end,
       '{"requests_made":1,"bytes":20000}', ${at} + interval '1 minute' from ${of} where r <= ${ended}`,
    `insert into dead_letters (task_id, source, category, code, died_at)
     select md5('task ' || n)::uuid, ${source}, 'http', (array['http_5xx','http_4xx','timeout'])[1 + n % 3], ${at} + interval '1 minute' from ${of} where r <= ${ended} and ${isDead}`,
    `insert into queue (task_id, key, run_seq, lane, band, turn, line, due_at)
     select md5('task ' || n)::uuid, md5('key ' || n)::uuid, r, case when n % 10 = 0 then 'browser' else 'http' end, n % 3, n, ${source},
       case when n % 20 = 1 then now() + interval '1 hour' end from ${of} where r > ${ended}`,
    `insert into live (key, task_id) select key, task_id from queue`,
    `insert into articles (key, url, title, content, host, language, scraped_at, search_due, search_vector, label, category)
     select md5('item ' || n)::uuid, 'https://site-' || n % 500 || '.example/' || n, 'Story about term ' || n % 5000, repeat('Text of story ' || n || '. ', 20),
       'site-' || n % 500 || '.example', (array['en','de','fr'])[1 + n % 3], now() - make_interval(secs => n), false,
       to_tsvector('english', 'Story about term ' || n % 5000), 'article', null from generate_series(0, ${items}) n`,
    `insert into products (key, product, source, title, seller, zipcode, currency, price, data, first_seen_at, scraped_at)
     select md5('product ' || n)::uuid, 'google-shopping:' || n, (array['google-shopping','store-a','store-b'])[1 + n % 3], 'Thing ' || n % 3000 || ' 500 g', 'Seller ' || n % 200,
       lpad((10001 + n % 50)::text, 5, '0'), 'USD', (100 + n % 5000) / 100.0,
       jsonb_build_object('title', 'Thing ' || n % 3000 || ' 500 g', 'price', (100 + n % 5000) / 100.0, 'currency', 'USD', 'seller', 'Seller ' || n % 200, 'source', 'google-shopping', 'product_url', 'https://shop.example/' || n),
       now() - make_interval(secs => n), now() - make_interval(secs => n) from generate_series(0, ${items}) n`,
    `insert into source_tallies (source, at, done, retried, failed, seconds, latencies, requests, bytes, blocks, items)
     select s, to_timestamp(floor(extract(epoch from now()) / 600) * 600 - b * 600), 90 + b % 20, 5, 3, 120, array_fill(3, array[30]), 300, 5000000, 2, 400
     from unnest(${NAMES}) s, generate_series(0, 6 * 24 * 7) b`,
    `insert into companies (id, name, scraper_type, config, website)
     select md5('company ' || n)::uuid, 'Company ' || n, 'greenhouse', jsonb_build_object('scraper_type', 'greenhouse', 'board', 'company-' || n), 'https://company-' || n || '.example'
     from generate_series(1, ${Math.ceil(rows / 500)}) n`,
    `insert into positions (key, company_id, job_hash, external_id, active, content, title, location, data, first_seen_at, last_seen_at, closed_at)
     select md5('position ' || n)::uuid, md5('company ' || 1 + n % ${Math.ceil(rows / 500)})::uuid, md5('position ' || n), n::text, n % 4 > 0, '{}', 'Engineer ' || n % 900, 'Boston, MA',
       jsonb_build_object('title', 'Engineer ' || n % 900), now() - make_interval(secs => n * 10), now(), case when n % 4 = 0 then now() end from generate_series(1, ${Math.ceil(rows / 10)}) n`,
    `insert into sessions (id, company_id, run_seq, run_id, pos, incremental, status, found, started_at, finished_at)
     select md5('session ' || n)::uuid, md5('company ' || 1 + n % ${Math.ceil(rows / 500)})::uuid, 1 + n % ${ended}, 'job_' || lpad(to_hex(1 + n % ${ended}), 12, '0'), n % ${TASKS_A_RUN}, true, 'completed', 20,
       now() - make_interval(secs => n * 60), now() - make_interval(secs => n * 60 - 30) from generate_series(1, ${Math.ceil(rows / 50)}) n`,
    `insert into queue_history (at, waiting, active, delayed, held)
     select date_trunc('minute', now()) - make_interval(mins => n), 1000 + n, 50, 3, 0 from generate_series(1, 2880) n on conflict do nothing`,
  ];
};

/** Says how long each took. */
export async function loadStore(client: pg.Client, rows: number, say: (line: string) => void): Promise<void> {
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB'`);
  for (const text of STATEMENTS(rows)) {
    const began = performance.now();
    const { rowCount } = await client.query(text);
    const table = /insert into (\w+)/.exec(text)?.[1];
    if (table === undefined) continue;
    say(`${table}: ${rowCount?.toLocaleString('en')} rows in ${((performance.now() - began) / 1e3).toFixed(0)} s`);
  }
  const postings = await loadPostings(client, { rows: Math.ceil(rows / 5), limitMs: LIMIT_MS });
  say(`postings: ${postings.toLocaleString('en')} rows`);
  await client.query(
    `insert into rollup_marks select distinct 'postings', date_trunc('day', first_seen_at, 'UTC') from postings`,
  );
  await client.query('vacuum analyze');
}
