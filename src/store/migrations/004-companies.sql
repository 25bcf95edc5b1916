-- Companies, the scrapes of their career pages, and their positions over time.

create table companies (
  id uuid primary key,
  name text not null,
  website text,
  active boolean not null default true,
  scraper_type text not null,
  config jsonb not null,
  -- How many postings the last full and complete scrapes found: what a believable scrape looks like.
  history int[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index companies_name on companies (lower(name));

-- One scrape of one company. It is the entry `pos` of its run; its counts are known once the task of that entry has ended.
create table sessions (
  id uuid primary key,
  company_id uuid not null references companies (id) on delete cascade,
  run_seq bigint not null,
  run_id text not null,
  pos int not null,
  incremental boolean not null,
  status text not null default 'running',
  found int not null default 0,
  created int not null default 0,
  updated int not null default 0,
  unchanged int not null default 0,
  deactivated int not null default 0,
  -- Why nothing was closed although it was not seen, where that is so.
  closing_refused text,
  errors jsonb not null default '[]',
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index sessions_company on sessions (company_id, started_at desc, id desc);
create index sessions_started on sessions (started_at desc, id desc);
create index sessions_running on sessions (run_seq, pos) where status = 'running';

create table positions (
  key uuid primary key,
  company_id uuid not null references companies (id) on delete cascade,
  job_hash text not null,
  external_id text not null,
  active boolean not null default true,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  closed_at timestamptz,
  close_reason text,
  reopened_at timestamptz,
  content jsonb not null,
  title text not null,
  location text,
  department text,
  remote_type text,
  data jsonb not null
);
create index positions_company on positions (company_id, active);
create index positions_new on positions (first_seen_at desc, key desc);
create index positions_seen on positions (last_seen_at) where active;
create index positions_closed on positions (closed_at) where not active;

create table position_changes (
  id bigint generated always as identity primary key,
  key uuid not null references positions (key) on delete cascade,
  at timestamptz not null default now(),
  kind text not null,
  changes jsonb not null default '[]'
);
create index position_changes_key on position_changes (key, at);
