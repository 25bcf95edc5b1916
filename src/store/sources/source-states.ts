// The last announced state of each source. A change is stored and announced in one transaction, by the first orchestrator that sees it, so no event is
// sent twice.
import type { Pool } from 'pg';
import { type SourceState, sourceState } from '../../model/source/source-health.ts';
import { transaction } from '../postgres/pool.ts';
import { plainArray, textArray } from '../postgres/text.ts';
import { wantedTypes, writeDeliveries } from '../webhooks/webhook-events.ts';
import { SOURCE_STATS, type SourceStats } from './source-stats.ts';

const LOCK_KEY = 7_246_303;
const TYPE_OF = { ok: 'source.recovered', degraded: 'source.degraded' } as const;

export interface SourceChange extends SourceStats {
  state: SourceState;
}

export function tellSources(pool: Pool, { minutes }: { minutes: number }): Promise<SourceChange[]> {
  return transaction(pool, async (client) => {
    if ((await wantedTypes(client, Object.values(TYPE_OF))).size === 0) return [];
    const { rows: locks } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      LOCK_KEY,
    ]);
    if (!locks[0]?.mine) return [];
    const { rows: stats } = await client.query<SourceStats>(SOURCE_STATS, [minutes]);
    const { rows: known } = await client.query<{ source: string; state: SourceState }>(
      'select source, state from source_states',
    );
    const before = new Map(known.map((row) => [row.source, row.state]));
    const changes = stats
      .map((one) => ({ ...one, state: sourceState(before.get(one.source) ?? 'ok', one) }))
      .filter((one) => one.state !== (before.get(one.source) ?? 'ok'));
    if (changes.length === 0) return [];
    await client.query(
      `insert into source_states (source, state) select * from unnest($1::text[], $2::text[])
       on conflict (source) do update set state = excluded.state, since = now()`,
      [textArray(changes.map((one) => one.source)), plainArray(changes.map((one) => one.state))],
    );
    const at = Date.now();
    await writeDeliveries(
      client,
      changes.map(({ source, state, done, failed }) => ({
        key: `source:${source}:${state}:${at}`,
        type: TYPE_OF[state],
        data: { source, state, window_minutes: minutes, done, failed, success_rate: done / (done + failed) },
        requestId: null,
      })),
    );
    return changes;
  });
}
