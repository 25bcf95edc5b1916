-- Runs, tasks and articles, and the queue between them.
--
-- A live task has a row in `live` (its key, unique: equal work meets there) and exactly one row in `queue` (waiting) or `leases` (sent to
-- a worker); one that ended has a row in `outcomes`. Moving is delete + insert of small rows: the wide one in `tasks` is written once and never
-- updated. There are no foreign keys on the hot path; every row is written in the transaction that writes what it points to.

create table runs (
  seq bigint generated always as identity primary key,
  id text not null unique,
  kind text not null,
  trigger text not null default 'manual',
  status text not null,
  total int not null,
  cached int not null default 0,
  completed int not null default 0,
  failed int not null default 0,
  request_id text,
  options jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz
) with (fillfactor = 70);
create index runs_status on runs (status, seq);

create table tasks (
  id uuid primary key,
  key uuid not null,
  source text not null,
  lane text not null,
  -- The run that made it; others that wait for it are in `shares`.
  run_seq bigint not null,
  -- The task as workers read it, but for what changes with each attempt. Kept as text: it is passed on, hardly ever looked into.
  message json not null,
  created_at timestamptz not null default now()
);

-- How a task ended. A task without a row here is live.
create table outcomes (
  task_id uuid primary key,
  state text not null,
  attempts smallint not null,
  error jsonb,
  metadata jsonb,
  finished_at timestamptz not null default now()
);

-- What a run asked for, in its order, and what the run calls each entry (`ref`: the address as it was submitted, labels). A cached entry has
-- no task.
create table run_tasks (
  run_seq bigint not null,
  pos int not null,
  task_id uuid,
  item_key uuid not null,
  ref jsonb not null,
  primary key (run_seq, pos)
);

-- Runs that wait for a task another run made. Usually few: that is why settling a task does not search `run_tasks`.
create table shares (
  task_id uuid not null,
  run_seq bigint not null,
  -- How many entries of the run wait for it, besides the one that made it: a run may ask for the same thing under several names.
  entries int not null,
  primary key (task_id, run_seq)
);

create table live (
  key uuid primary key,
  task_id uuid not null
) with (fillfactor = 80);

create table queue (
  task_id uuid primary key,
  key uuid not null,
  run_seq bigint not null,
  lane text not null,
  band smallint not null,
  -- Order within a band. The n-th task of a run takes its turn a little later than the one before it, so that a run of
  -- thousands does not stand in front of a run of three.
  turn bigint not null,
  -- Set while the task waits for a later time (a retry); the ready index does not hold it then.
  due_at timestamptz,
  attempt int not null default 0,
  failures smallint not null default 0,
  crashes smallint not null default 0,
  waits smallint not null default 0
);
create index queue_ready on queue (lane, band, turn) where due_at is null;
create index queue_delayed on queue (due_at) where due_at is not null;

create table leases (
  task_id uuid primary key,
  key uuid not null,
  run_seq bigint not null,
  lane text not null,
  band smallint not null,
  turn bigint not null,
  attempt int not null,
  failures smallint not null,
  crashes smallint not null,
  waits smallint not null,
  part int not null default 0,
  worker text,
  sent_at timestamptz not null default now(),
  lease_until timestamptz not null
) with (fillfactor = 70);

create table dead_letters (
  task_id uuid primary key,
  source text not null,
  category text not null,
  died_at timestamptz not null default now()
);
create index dead_letters_time on dead_letters (died_at, task_id);

create table articles (
  key uuid primary key,
  url text not null,
  title text,
  content text not null,
  author text,
  published_at text,
  language text,
  image text,
  details jsonb,
  task_id uuid,
  scraped_at timestamptz not null
);

create table idempotency (
  scope text not null,
  key text not null,
  body_hash text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
create index idempotency_age on idempotency (created_at);

-- Small facts that all processes share, such as the wire's epoch.
create table marks (
  name text primary key,
  value text not null
);

-- These turn over completely every few seconds under load; the default (a fifth of the table) comes far too late for them.
alter table queue set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
alter table leases set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
alter table live set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
