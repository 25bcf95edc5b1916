// The server itself: what slows it down or fills its disk unnoticed. One statement each.
import type { Invariant } from './invariant.ts';

const rule = (name: string, severity: Invariant['severity'], remedy: string, sql: string): Invariant => ({
  name,
  severity,
  remedy,
  over: null,
  broken: () => sql,
});

/** Sequences of the tables that count their rows. */
const COUNTERS = ['runs', 'deliveries', 'submission_spool', 'announcements'];

export const SERVER_RULES: readonly Invariant[] = [
  rule(
    'every index is valid',
    'fail',
    'A build of the index was broken off: reindex index concurrently windrow.<name>',
    `select c.relname as id from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'windrow'::regnamespace and not (i.indisvalid and i.indisready)`,
  ),
  rule(
    'every sequence is ahead of its table',
    'fail',
    'Rows were loaded without their sequence, and new ones will collide: select setval(<sequence>, (select max(seq) from <table>))',
    COUNTERS.map(
      (table) => `select '${table}' as id from windrow.${table} having max(seq) >
        coalesce((select last_value from pg_sequences where schemaname = 'windrow' and sequencename = '${table}_seq_seq'), 0)`,
    ).join(' union all '),
  ),
  rule(
    'weeks of prices are made ahead',
    'warn',
    'No orchestrator has made any for weeks: is one running (/health), and does its log show errors of the loop trim? Prices are kept, but deleted one by one',
    `select 'prices' as id where not exists (
       select from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) as b(bound)
       where i.inhparent = 'windrow.prices'::regclass and (regexp_match(bound, $$TO \\('([^']+)'\\)$$))[1]::timestamptz > now() + interval '1 week')`,
  ),
  rule(
    'no price of today is outside its week',
    'warn',
    'Its week was not there when it came. The orchestrator that trims moves it when it makes the week; until then it is deleted one by one',
    `select product as id, at from windrow.prices_default
     where at >= now() - interval '1 day' and at < now() + interval '1 day'`,
  ),
  rule(
    'no table is mostly dead rows',
    'warn',
    'Autovacuum does not keep up, or something holds it back (long transactions, slots): vacuum windrow.<table>',
    `select relname::text as id, n_live_tup, n_dead_tup from pg_stat_user_tables
     where schemaname = 'windrow' and n_dead_tup > 200000 and n_dead_tup > 5 * n_live_tup`,
  ),
  rule(
    'no transaction is open for long',
    'warn',
    'It keeps vacuum from cleaning up, and the queue gets slow. End it: select pg_terminate_backend(<id>)',
    `select pid::text as id, application_name, state, xact_start from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '10 minutes'
       and backend_type = 'client backend'`,
  ),
  rule(
    'no prepared transaction is left',
    'warn',
    'It holds locks and keeps vacuum from cleaning up; Windrow makes none. End it: rollback prepared <id>',
    `select gid as id, prepared from pg_prepared_xacts where database = current_database() and prepared < now() - interval '10 minutes'`,
  ),
  rule(
    'no replication slot keeps the log',
    'warn',
    'Nobody reads from it, and its log fills the disk of PostgreSQL. Start its reader, or: select pg_drop_replication_slot(<id>)',
    `select slot_name::text as id, pg_size_pretty(pg_wal_lsn_diff(
       case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn)) as kept
     from pg_replication_slots where not active and pg_wal_lsn_diff(
       case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn) > 1073741824`,
  ),
  rule(
    'transaction numbers are far from running out',
    'warn',
    'Autovacuum has not frozen old rows; PostgreSQL stops writing at 2 billion. Run: vacuum freeze',
    `select datname::text as id, age(datfrozenxid) as age from pg_database
     where datname = current_database() and age(datfrozenxid) > 1500000000`,
  ),
];
