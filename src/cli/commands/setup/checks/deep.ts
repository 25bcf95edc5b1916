// `windrow doctor --deep`: looks through the database for rows that should not be.
import type { Config } from '../../../../config.ts';
import type { ServerFile } from '../../../../store/embedded/home.ts';
import { INVARIANTS } from '../../../../store/invariants/invariants.ts';
import { type Broken, look, type Walked } from '../../../../store/invariants/look.ts';
import { createPool } from '../../../../store/postgres/pool.ts';
import { type Finding, fail, ok, warn } from './check.ts';
import { isMigrated, storeConnection } from './servers.ts';

const SHOWN_IDS = 3;
/** Longer than anything is in motion: a lease and its sweep, a batch of results, a batch of deletes. */
const PAUSE_MS = 20_000;

export interface DeepOptions {
  seconds: number;
  pauseMs?: number;
}

export async function checkDeep(
  config: Config,
  running: ServerFile | undefined,
  { seconds, pauseMs = PAUSE_MS }: DeepOptions,
): Promise<Finding[]> {
  const connection = storeConnection(config, running);
  if (!connection)
    return [fail('deep', 'there is no database to look at: start `windrow up` first, or set DATABASE_URL')];
  const pool = createPool({ connection, max: 1, statementTimeoutMs: 15_000 });
  try {
    if (!(await isMigrated(pool)))
      return [fail('deep', 'the database is not at the migrations of this Windrow: `windrow migrate` first')];
    const { broken, walked, seconds: took } = await look(pool, INVARIANTS, { budgetMs: seconds * 1_000, pauseMs });
    const rows = walked.reduce((sum, { looked }) => sum + looked, 0);
    const summary = `${INVARIANTS.length} rules, ${rows.toLocaleString('en')} rows looked at in ${took.toFixed(1)} s`;
    return [
      broken.some(({ invariant }) => invariant.severity === 'fail')
        ? fail('deep', `${summary}: ${broken.length} broken`)
        : ok('deep', `${summary}${broken.length > 0 ? '' : ': all hold'}`),
      ...broken.map(brokenFinding),
      ...walked.filter(({ isComplete }) => !isComplete).map((one) => partFinding(one, seconds)),
    ];
  } finally {
    await pool.end();
  }
}

function brokenFinding({ invariant, ids, hasMore }: Broken): Finding {
  const shown = ids.slice(0, SHOWN_IDS).join(', ');
  const others = ids.length > SHOWN_IDS ? ` and ${hasMore ? 'more than ' : ''}${ids.length - SHOWN_IDS} others` : '';
  const make = invariant.severity === 'fail' ? fail : warn;
  return {
    ...make('deep', `Not so: ${invariant.name} (${shown}${others}). ${invariant.remedy}`),
    rule: invariant.name,
    ids,
  };
}

const partFinding = ({ table, looked, about }: Walked, seconds: number): Finding =>
  ok(
    'deep',
    `${table}: the newest ${looked.toLocaleString('en')} of about ${Math.round(about ?? looked).toLocaleString('en')} rows in ${seconds} s. More with --seconds ${seconds * 5}`,
  );
