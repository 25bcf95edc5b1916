-- Crawls: runs whose tasks make tasks. A link that a page shows becomes a row here in the transaction that settles the page, and is counted in the run's total at
-- once; it becomes a task a little later, when there is room in the queue for more of this run. So a run cannot end while pages of it are not tasks yet, and a
-- large crawl never has more than some hundred tasks waiting.
create table crawls (
  run_seq bigint primary key,
  options jsonb not null,
  -- What its tasks have in common: priority, lane, line, limits.
  task jsonb not null,
  -- Place of the next address that is found.
  next_pos int not null,
  -- Pages and sitemaps that are, were or will be tasks (of a map, pages that are listed), and addresses that are kept with the reason why they were left out.
  pages int not null,
  sitemaps int not null default 0,
  left_out int not null default 0,
  -- More was left out than is kept.
  left_out_cut boolean not null default false,
  -- Links that pages had past those that are read.
  links_cut int not null default 0,
  -- Tasks made so far.
  admitted int not null,
  bytes bigint not null default 0,
  -- Until its run was seen to have ended.
  is_open boolean not null default true
) with (fillfactor = 70);
create index crawls_open on crawls (run_seq) where is_open;

create table crawl_pages (
  -- Of the run and the address in its canonical form; also the key of the task.
  key uuid primary key,
  run_seq bigint not null,
  -- In the order they were found.
  pos int not null,
  url text not null,
  is_sitemap boolean not null default false,
  -- Links from the first page on.
  depth smallint not null,
  -- `waiting` for room in the queue, `queued` (a task that has not ended), `done`, `failed`, `listed` (of a map), `left_out`.
  state text not null,
  -- Of one that is done, what it was; of one that was left out, why.
  reason text,
  -- The page that showed it first; null for the first page.
  found_on int,
  -- The same for all queries of one path.
  path_key uuid,
  http_status smallint,
  content_type text,
  title text,
  redirect_to text,
  -- Of the article, where it is one.
  article_key uuid,
  read_at timestamptz
) with (fillfactor = 80);
create unique index crawl_pages_order on crawl_pages (run_seq, pos);
create index crawl_pages_state on crawl_pages (run_seq, state, depth, pos);
create index crawl_pages_paths on crawl_pages (path_key) where path_key is not null and state <> 'left_out';
