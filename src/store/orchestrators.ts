// Orchestrators that are alive. They announce themselves in the store, which accepting work needs anyway: whoever can accept a run knows whether somebody will
// send it on.
import type { Pool } from 'pg';
import { bindAll } from './postgres/bind.ts';
import { query } from './postgres/pool.ts';

export interface OrchestratorStore {
  /** Said again every few seconds. */
  beatOrchestrator(name: string): Promise<void>;
  leaveOrchestrator(name: string): Promise<void>;
  /** How many are alive. */
  countOrchestrators(): Promise<number>;
}

/** Five beats missed. */
const GONE_SECONDS = 15;

async function beatOrchestrator(pool: Pool, name: string): Promise<void> {
  await query(
    pool,
    `with gone as (delete from orchestrators where seen_at < now() - interval '1 day')
     insert into orchestrators (name) values ($1) on conflict (name) do update set seen_at = now()`,
    [name],
  );
}

async function leaveOrchestrator(pool: Pool, name: string): Promise<void> {
  await query(pool, 'delete from orchestrators where name = $1', [name]);
}

async function countOrchestrators(pool: Pool): Promise<number> {
  const [row] = await query<{ n: number }>(
    pool,
    'select count(*)::int as n from orchestrators where seen_at > now() - make_interval(secs => $1)',
    [GONE_SECONDS],
  );
  return row!.n;
}

export const orchestratorStore = (pool: Pool): OrchestratorStore =>
  bindAll(pool, { beatOrchestrator, leaveOrchestrator, countOrchestrators });
