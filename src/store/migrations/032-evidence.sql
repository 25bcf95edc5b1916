-- What failed attempts saw: one row each, and what is large beside it, so that lists read none of that.
create table evidence (
  -- Given by the worker, so that what is delivered twice is stored once.
  id uuid primary key,
  seq bigint generated always as identity,
  task_id uuid not null,
  attempt int not null,
  run_id text not null,
  source text not null,
  -- Of the error, or `suspect`.
  code text not null,
  worker text not null,
  url text not null,
  status int not null,
  media_type text not null,
  page_chars int not null,
  is_cut boolean not null,
  -- Null: there is no page, or no screenshot.
  page_bytes int,
  screenshot_bytes int,
  screenshot_type text,
  left_out text[] not null,
  -- Where its files are: database or s3.
  place text not null,
  captured_at timestamptz not null,
  stored_at timestamptz not null default now(),
  unique (task_id, attempt)
);
create unique index evidence_order on evidence (seq);
create index evidence_cause on evidence (source, code, seq desc);
create index evidence_run on evidence (run_id);

create table evidence_files (
  evidence_id uuid not null,
  -- page (gzip) or screenshot.
  part text not null,
  bytes bytea not null,
  primary key (evidence_id, part)
);

-- Of all evidence together: nobody has to add it up.
create table evidence_size (
  bytes bigint not null
);
insert into evidence_size values (0);
