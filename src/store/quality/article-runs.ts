// Quality of runs of many articles: each article is one item of its own, so they are judged together, by site, when their run has ended. Behind recording:
// a run of one article pays nothing for it.
import type { Pool } from 'pg';
import { keyOf } from '../../model/ids.ts';
import { judge } from '../../model/quality/judge.ts';
import { addMeasure, type Measure, newMeasure } from '../../model/quality/measure.ts';
import { type Client, transaction } from '../postgres/pool.ts';
import { plainArray } from '../postgres/text.ts';
import { historyOf, type NewCheck, type RulesOf, saveChecks } from './checks.ts';

/** Runs of fewer articles are not judged: nothing can be said about so few. */
export const ARTICLES_MIN = 10;
const RUNS_AT_A_TIME = 20;

/** Judges ended runs of articles that wait for it; returns what was found. Any number of instances may do it at once. */
export function judgeArticleRuns(pool: Pool, rulesOf: RulesOf): Promise<{ runs: number; checks: NewCheck[] }> {
  return transaction(pool, async (client) => {
    const { rows: due } = await client.query<{ run_seq: string }>(
      `delete from quality_due where run_seq in (select run_seq from quality_due order by run_seq limit ${RUNS_AT_A_TIME} for update skip locked)
       returning run_seq`,
    );
    const checks: NewCheck[] = [];
    for (const { run_seq: runSeq } of due) checks.push(...(await judgeRun(client, runSeq, rulesOf)));
    await saveChecks(client, checks);
    return { runs: due.length, checks };
  });
}

async function judgeRun(client: Client, runSeq: string, rulesOf: RulesOf): Promise<NewCheck[]> {
  const { rows } = await client.query<{ run_id: string; source: string; url: string | null; measure: Measure }>(
    `select r.id as run_id, t.source, t.message -> 'params' ->> 'url' as url, o.metadata -> 'measure' as measure
     from runs r join run_tasks l on l.run_seq = r.seq join tasks t on t.id = l.task_id join outcomes o on o.task_id = t.id
     where r.seq = $1 and o.state = 'done' and o.metadata ? 'measure'`,
    [runSeq],
  );
  const sites = Map.groupBy(rows, ({ source, url }) => `${source} ${hostOf(url)}`);
  const large = [...sites].filter(([, articles]) => articles.length >= ARTICLES_MIN);
  const streams = new Map(large.map(([site]) => [site, keyOf(`articles:${site}`)]));
  const history = await historyOf(client, [...streams.values()]);
  return large.map(([site, articles]) => {
    const { run_id: runId, source, url } = articles[0]!;
    const measure = newMeasure();
    for (const article of articles) addMeasure(measure, article.measure);
    const stream = streams.get(site)!;
    const judged = judge('article', measure, history.get(stream) ?? [], rulesOf(source));
    // They are stored already, one by one.
    const findings = judged.findings.map((finding) => ({ ...finding, held: false }));
    return {
      runId,
      taskId: null,
      stream,
      source,
      kind: 'article',
      about: hostOf(url),
      measure,
      ...judged,
      findings,
      isHeld: false,
    };
  });
}

const hostOf = (url: string | null): string => URL.parse(url ?? '')?.hostname ?? '';

/** In the transaction that ends these runs. */
export async function articleRunsEnded(client: Client, runSeqs: readonly string[]): Promise<void> {
  if (runSeqs.length === 0) return;
  await client.query({
    name: 'quality-due',
    text: 'insert into quality_due (run_seq) select * from unnest($1::bigint[]) on conflict do nothing',
    values: [plainArray(runSeqs)],
  });
}
