-- Schedules, and every time one of them was due. The primary key of `fires` is what makes it one run per (schedule, instant), however many schedulers run.

create table schedules (
  id text primary key,
  -- `search`: a search of `site_name` with `payload`; the others are named after what they do.
  task text not null,
  site_name text,
  enabled boolean not null default true,
  interval_minutes int,
  cron text,
  timezone text not null default 'UTC',
  payload jsonb not null default '{}',
  min_pause_seconds real,
  max_pause_seconds real,
  max_retries int,
  catch_up text not null default 'once',
  -- Where the grid of an interval begins.
  anchor_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_run_id text,
  -- Null: to be planned, by whichever scheduler looks next.
  next_run_at timestamptz(3),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((interval_minutes is null) <> (cron is null)),
  check ((task = 'search') = (site_name is not null))
);
create index schedules_due on schedules (next_run_at) where enabled;

create table fires (
  schedule_id text not null references schedules (id) on delete cascade,
  -- Milliseconds, which is what a Date of JavaScript can name.
  instant timestamptz(3) not null,
  -- `waiting` (to be started by whoever holds it until `held_until`), `started`, `done` (nothing to wait for), `skipped`, `failed`.
  state text not null,
  reason text,
  run_id text,
  held_until timestamptz,
  decided_at timestamptz not null default now(),
  primary key (schedule_id, instant)
);
create index fires_waiting on fires (held_until) where state = 'waiting';
create index fires_age on fires (decided_at);

create table schedulers (
  name text primary key,
  started_at timestamptz not null default now(),
  ticked_at timestamptz not null default now()
);

insert into schedules (id, task, cron) values
  ('daily-companies', 'companies.scrape', '0 7 * * *'),
  ('stale-positions', 'positions.stale', '0 4 * * *'),
  ('weekly-cleanup', 'cleanup', '0 3 * * 0');
