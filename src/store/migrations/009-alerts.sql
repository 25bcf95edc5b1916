-- New postings are announced once each: as the event `postings.new`, and to every alert (a saved search) that they match.

-- Not announced yet. What was there before this migration is no news, so only rows from now on begin as new; cleared by the grouping, which writes
-- the row anyway.
alter table postings add column is_new boolean not null default false;
alter table postings alter column is_new set default true;

-- New postings that have found their group and wait to be announced: written in the transaction that groups them, removed in the one that announces.
create table announcements (
  seq bigint generated always as identity primary key,
  key uuid not null,
  -- Postings of the same group that were there before it: the same job on other boards.
  earlier uuid[] not null
);

create table alerts (
  id uuid primary key,
  name text not null,
  -- As the parameters of GET /postings have it; the columns below are the same, ready to be compared.
  search jsonb not null,
  active boolean not null default true,
  -- Whoever has it may read the feed: feed readers send no keys.
  feed_token text not null,
  webhook_url text,
  file text,
  -- The folder that the file is in (there may be one on each machine), and the last match that is known to be in the file.
  file_folder uuid,
  file_seq bigint not null default 0,
  -- Words of which a posting has at least one, or it cannot match; empty: every posting has to be compared.
  anchors text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sources text[] generated always as (string_to_array(search ->> 'source', ',')) stored,
  company tsquery generated always as (phraseto_tsquery('simple', search ->> 'company')) stored,
  location tsquery generated always as (phraseto_tsquery('simple', search ->> 'location')) stored,
  q tsquery generated always as (websearch_to_tsquery('english', search ->> 'q')) stored,
  remote_type text generated always as (search ->> 'remote_type') stored,
  posted_after text generated always as (search ->> 'posted_after') stored,
  min_salary numeric generated always as ((search ->> 'min_salary')::numeric) stored,
  currency text generated always as (search ->> 'currency') stored
);
create unique index alerts_file on alerts (lower(file)) where file is not null;

-- What was announced to whom. Matches are written by one transaction at a time, so whoever has read up to a `seq` has missed none before it.
create table alert_matches (
  alert_id uuid not null references alerts (id) on delete cascade,
  posting_key uuid not null,
  seq bigint generated always as identity,
  announced_at timestamptz not null default now(),
  primary key (alert_id, posting_key)
);
create unique index alert_matches_order on alert_matches (alert_id, seq);
create index alert_matches_age on alert_matches using brin (announced_at);
