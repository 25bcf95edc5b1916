-- Where the fields of items came from. Each way of reading is one row, named by a hash of its content, so that an item costs eight bytes and old items keep
-- what was true when they were read.
create table item_origins (
  id bigint primary key,
  source_version int not null,
  origins jsonb not null
);

-- Null: stored before this, or by a worker that does not say. The attempt is that of `task_id`.
alter table articles add column origins_id bigint, add column attempt smallint;
alter table postings add column origins_id bigint, add column attempt smallint;
-- By the place of the product.
alter table cart_search_results add column origins_ids bigint[], add column attempt smallint;
alter table products add column origins_id bigint, add column attempt smallint, add column task_id uuid;
