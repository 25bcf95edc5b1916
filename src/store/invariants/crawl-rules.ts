// Crawls: every page is in one place, and in the state that its task is in.
import { type Invariant, WALKS } from './invariant.ts';

const { crawlPages } = WALKS;
const REPAIR = 'A bug of Windrow, or rows were changed by hand: please report it. Cancel the crawl and start it again';

export const CRAWL_RULES: readonly Invariant[] = [
  {
    name: 'a page of a crawl belongs to a crawl',
    severity: 'warn',
    remedy: 'It only takes room: delete the rows',
    over: crawlPages,
    broken: (rows) => `select p.key::text as id, p.run_seq from ${rows} p
      where not exists (select 1 from windrow.crawls c where c.run_seq = p.run_seq)`,
  },
  {
    name: 'a page of a crawl that is queued is a task that has not ended',
    severity: 'fail',
    remedy: REPAIR,
    over: crawlPages,
    broken: (rows) => `select p.key::text as id, p.url from ${rows} p
      where (p.state = 'queued') <> exists (select 1 from windrow.live v where v.key = p.key)`,
  },
  {
    name: 'a page of a crawl that was read is a task that has ended',
    severity: 'fail',
    remedy: REPAIR,
    over: crawlPages,
    broken: (rows) => `select p.key::text as id, p.url, p.state, o.state as task from ${rows} p
      left join windrow.run_tasks l on l.run_seq = p.run_seq and l.pos = p.pos
      left join windrow.outcomes o on o.task_id = l.task_id
      where p.state in ('done', 'failed') and o.state is distinct from p.state`,
  },
  {
    name: 'a crawl that has ended waits for no page',
    severity: 'fail',
    remedy: REPAIR,
    over: crawlPages,
    broken: (rows) => `select p.key::text as id, p.url from ${rows} p join windrow.runs r on r.seq = p.run_seq
      where p.state = 'waiting' and r.status <> 'running'`,
  },
];
