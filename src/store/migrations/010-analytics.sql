-- What lists of articles and products, analytics, and the states of sources are read from.

-- Articles are made findable after they were recorded, a batch at a time, so that recording pays for one flag and nothing else. Lists show an article
-- once it has its words; one that is scraped again keeps the old ones until it has new ones.
alter table articles
  add column words_due boolean not null default true,
  add column words tsvector,
  add column host text,
  -- As the run that had it scraped called it.
  add column label text,
  add column category text;
create index articles_due on articles (key) where words_due;
create index articles_words on articles using gin (words) where words is not null;
create index articles_scraped on articles (scraped_at, key) where words is not null;
create index articles_published on articles ((coalesce(published_at, '') collate "C"), key) where words is not null;
create index articles_host on articles (host, scraped_at, key) where words is not null;

-- Products one by one, as the shelves last showed them; written after the shelf, for the same reason.
alter table shelves add column listing_due boolean not null default true;
create index shelves_due on shelves (key) where listing_due;
create table products (
  -- Of source, product and place: the same offer is one row.
  key uuid primary key,
  -- What `prices` calls it.
  product text not null,
  source text not null,
  title text not null,
  seller text,
  zipcode text,
  currency text,
  price numeric,
  -- As the contract shows a product.
  data jsonb not null,
  first_seen_at timestamptz not null default now(),
  scraped_at timestamptz not null,
  words tsvector generated always as (
    setweight(to_tsvector('english', left(title, 2000)), 'A') || setweight(to_tsvector('simple', left(coalesce(seller, ''), 500)), 'B')
    || setweight(to_tsvector('english', left(coalesce(seller, ''), 500)), 'D')
  ) stored
);
create index products_words on products using gin (words);
create index products_scraped on products (scraped_at, key);
create index products_price on products ((coalesce(price, -1)), key);

-- What postings are counted by. Out of the document once, when it is written: reading it back for a count would unpack every description.
alter table postings
  add column country text generated always as (data #>> '{locations,0,country}') stored,
  add column city text generated always as (data #>> '{locations,0,city}') stored,
  add column seniority text generated always as (data ->> 'seniority') stored,
  add column job_type text generated always as (data #>> '{job_types,0}') stored,
  add column currency text generated always as (data ->> 'currency') stored,
  -- A year of pay, the middle of a range.
  add column pay float8 generated always as (
    (coalesce((data #>> '{salary_annual,min}')::float8, (data #>> '{salary_annual,max}')::float8)
     + coalesce((data #>> '{salary_annual,max}')::float8, (data #>> '{salary_annual,min}')::float8)) / 2) stored;

-- How the sources have been doing, in slots of ten minutes; every orchestrator adds what it has recorded.
create table source_tallies (
  source text not null,
  at timestamptz not null,
  done int not null default 0,
  -- Attempts that were followed by another one, and tasks that were given up.
  retried int not null default 0,
  failed int not null default 0,
  seconds float8 not null default 0,
  -- Attempts by how long they took; the bounds are in model/tally.ts.
  latencies int[] not null,
  requests bigint not null default 0,
  bytes bigint not null default 0,
  blocks int not null default 0,
  captchas int not null default 0,
  items int not null default 0,
  -- Items that had the field, by field.
  filled jsonb not null default '{}',
  last_error jsonb,
  last_error_at timestamptz,
  primary key (source, at)
);
create index source_tallies_at on source_tallies (at);

-- Sources whose tasks are held back: paused by a person, or by the breaker. Empty in good times, and then dispatch does nothing for it.
create table source_holds (
  source text primary key,
  paused_at timestamptz,
  pause_reason text,
  breaker text not null default 'closed',
  -- Times in a row that it opened, and why the last time.
  opens int not null default 0,
  trouble text,
  opened_at timestamptz,
  -- Open: until when. Half open: until when the probe has to be heard of.
  until timestamptz,
  probe_task uuid
);

-- A held task waits among the delayed ones, for some minutes at a time, so that nothing has to remember it: forgotten, it comes back by itself.
alter table queue add column parked boolean not null default false;
create index queue_parked on queue (task_id) where parked;
