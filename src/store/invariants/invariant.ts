// What must hold in a database, as statements that find what breaks it. `windrow doctor --deep` asks them of a live database, slice by slice, and the tests
// of a small one as a whole. Each is true in every committed state, or waits so long (`interval`) that what is under way is not meant.
export interface Invariant {
  /** What should be so. */
  name: string;
  /** `fail`: work or data is wrong. `warn`: it will be trouble, or only costs room. */
  severity: 'fail' | 'warn';
  /** For whoever finds it broken. */
  remedy: string;
  /** Rows that it is about; null: no table is walked through, it is one statement. */
  over: Walk | null;
  /** Finds those of `rows` (a table, or a part of it) that break it. Every row found has a text `id`. */
  broken(rows: string): string;
}

/** A table in the order of its key. */
export interface Walk {
  table: string;
  key: readonly { column: string; type: 'bigint' | 'int' | 'uuid' | 'text' | 'timestamptz' }[];
  where?: string;
}

const walk = (table: string, ...key: Walk['key']): Walk => ({ table: `windrow.${table}`, key });
const byTask = (table: string): Walk => walk(table, { column: 'task_id', type: 'uuid' });

export const WALKS = {
  runs: walk('runs', { column: 'seq', type: 'bigint' }),
  runningRuns: { ...walk('runs', { column: 'seq', type: 'bigint' }), where: `status = 'running'` },
  tasks: walk('tasks', { column: 'id', type: 'uuid' }),
  live: walk('live', { column: 'key', type: 'uuid' }),
  queue: byTask('queue'),
  leases: byTask('leases'),
  outcomes: byTask('outcomes'),
  deadLetters: byTask('dead_letters'),
  checkpoints: byTask('checkpoints'),
  earlierAttempts: byTask('earlier_attempts'),
  crawlPages: walk('crawl_pages', { column: 'key', type: 'uuid' }),
  runTasks: walk('run_tasks', { column: 'run_seq', type: 'bigint' }, { column: 'pos', type: 'int' }),
  shares: walk('shares', { column: 'task_id', type: 'uuid' }, { column: 'run_seq', type: 'bigint' }),
  taskItems: walk('task_items', { column: 'task_id', type: 'uuid' }, { column: 'item_key', type: 'uuid' }),
  spool: walk('submission_spool', { column: 'seq', type: 'bigint' }),
  sessions: walk('sessions', { column: 'id', type: 'uuid' }),
  positions: walk('positions', { column: 'key', type: 'uuid' }),
  postings: walk('postings', { column: 'key', type: 'uuid' }),
  schedules: walk('schedules', { column: 'id', type: 'text' }),
  fires: walk('fires', { column: 'schedule_id', type: 'text' }, { column: 'instant', type: 'timestamptz' }),
  deliveries: walk('deliveries', { column: 'seq', type: 'bigint' }),
  heldItems: walk(
    'held_items',
    { column: 'task_id', type: 'uuid' },
    { column: 'attempt', type: 'int' },
    { column: 'part', type: 'int' },
  ),
  qualityDue: walk('quality_due', { column: 'run_seq', type: 'bigint' }),
  keys: walk('api_keys', { column: 'seq', type: 'bigint' }),
  rollups: walk(
    'rollup_buckets',
    { column: 'kind', type: 'text' },
    { column: 'unit', type: 'text' },
    { column: 'at', type: 'timestamptz' },
  ),
} as const satisfies Record<string, Walk>;
