-- Postings as each source shows them, one row an advertisement however often it was scraped, and which task brought which.

create table postings (
  key uuid primary key,
  source text not null,
  external_id text not null,
  job_hash text not null,
  fingerprint text,
  title text not null,
  company text,
  location text,
  remote_type text,
  posted_at text,
  data jsonb not null,
  task_id uuid,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);

-- The items of tasks that bring many, each once however many attempts found it, in the order they came first. Kinds that bring one (articles)
-- do without: their key is the task's.
create table task_items (
  task_id uuid not null,
  item_key uuid not null,
  pos int not null,
  primary key (task_id, item_key)
);
create index task_items_order on task_items (task_id, pos);

-- Outcomes come in the order of time, so a few bytes a megabyte tell where an hour lies.
create index outcomes_time on outcomes using brin (finished_at);
