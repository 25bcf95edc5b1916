-- How good the items of a task were next to the runs of the same parameters before it, and items that are kept apart until somebody decides.
create table quality_checks (
  id bigint generated always as identity primary key,
  run_id text not null,
  -- Null: of all articles of one site in a run.
  task_id uuid unique,
  kind text not null,
  source text not null,
  -- The site, for articles.
  about text,
  -- Runs of the same parameters have the same one: the key of the task.
  stream uuid not null,
  verdict text not null,
  measure jsonb not null,
  findings jsonb not null,
  -- Later ones are compared with it.
  counts boolean not null,
  -- Of its items: null (stored), held, accepted, rejected, superseded (by a later run that was good).
  state text,
  decided_at timestamptz,
  at timestamptz not null default now()
);
create index quality_checks_history on quality_checks (stream, id desc) where counts;
create index quality_checks_held on quality_checks (stream) where state = 'held';
create index quality_checks_run on quality_checks (run_id);
create index quality_checks_source on quality_checks (source, id desc);
create index quality_checks_bad on quality_checks (verdict, id desc) where verdict <> 'succeeded';
create index quality_checks_time on quality_checks using brin (at);

-- As they came. Written in the transaction that would have stored them, and stored in the one that accepts them.
create table held_items (
  task_id uuid not null,
  attempt int not null,
  part int not null,
  kind text not null,
  source text not null,
  key uuid not null,
  items jsonb not null,
  held_at timestamptz not null default now(),
  primary key (task_id, attempt, part)
);
create index held_items_time on held_items using brin (held_at);

-- Runs of many articles that have ended: they are looked at behind recording.
create table quality_due (
  run_seq bigint primary key
);
