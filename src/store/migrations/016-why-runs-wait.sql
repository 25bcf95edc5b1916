-- What a run that waits says of itself.

-- Orchestrators that are alive; one that has not been heard of for some seconds is gone.
create table orchestrators (
  name text primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- Why the last attempt of a task was not the last one; null when nothing went wrong with it.
alter table earlier_attempts add column error jsonb;

-- Who paused a source: a key or an address.
alter table source_holds add column paused_by text;
