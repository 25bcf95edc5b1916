-- Roll-ups: what postings and prices of a day or a week come to, kept so that a year can be answered without reading it. A roll-up is made from the rows of its
-- bucket as a whole, never added to, so it cannot drift; whatever changes a row marks its day in the same transaction, and what is marked is read from the rows.

-- Days that have changed, appended to by triggers and taken away by the one that rolls up. Not unique: of two transactions that mark a day none waits.
create table rollup_marks (
  kind text not null,
  day timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_threshold = -1);

create table rollup_buckets (
  -- `postings` or `prices`.
  kind text not null,
  -- `day` or `week`, in UTC.
  unit text not null,
  at timestamptz not null,
  rows int not null default 0,
  -- Null: not yet.
  rolled_at timestamptz,
  took_ms float8 not null default 0,
  is_due boolean not null default true,
  primary key (kind, unit, at)
);
create index rollup_buckets_due on rollup_buckets (at) where is_due;

-- One row for each value of each dimension (`dims`: `source`, or `source,country`), and one for all (`''`).
create table posting_cells (
  unit text not null,
  at timestamptz not null,
  dims text not null,
  v1 text,
  v2 text,
  postings int not null,
  jobs int not null,
  companies int not null,
  remote int not null,
  with_salary int not null
);
create index posting_cells_key on posting_cells (unit, dims, at);

-- Amounts by how often they were seen, since percentiles cannot be added up; and those of the bucket itself, ready to be shown.
create table amount_cells (
  kind text not null,
  unit text not null,
  at timestamptz not null,
  dims text not null,
  v1 text,
  v2 text,
  currency text not null,
  n int not null,
  -- Of prices: how many products.
  products int not null,
  amounts float8[] not null,
  counts int[] not null,
  -- min, p10, p25, p50, p75, p90, max, mean
  spread float8[] not null
);
create index amount_cells_key on amount_cells (kind, unit, dims, at);

-- Details of the companies with the most postings are read from their rows.
create index postings_company on postings (company, first_seen_at);

create function mark_rollup() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into windrow.rollup_marks values ('postings', date_trunc('day', old.first_seen_at, 'UTC'));
  end if;
  if tg_op <> 'DELETE' then
    insert into windrow.rollup_marks values ('postings', date_trunc('day', new.first_seen_at, 'UTC'));
  end if;
  return null;
end $$;

-- New rows are of today: one mark for a statement, whatever it writes.
create function mark_rollup_today() returns trigger language plpgsql as $$
begin
  insert into windrow.rollup_marks values (tg_argv[0], date_trunc('day', now(), 'UTC'));
  return null;
end $$;

create function mark_rollup_all() returns trigger language plpgsql as $$
begin
  insert into windrow.rollup_marks select kind, at from windrow.rollup_buckets where kind = tg_argv[0] and unit = 'day';
  return null;
end $$;

create trigger rollup_new after insert on postings for each statement execute function mark_rollup_today('postings');
create trigger rollup_late after insert on postings for each row when (new.first_seen_at is distinct from now()) execute function mark_rollup();
create trigger rollup_gone after delete on postings for each row execute function mark_rollup();
create trigger rollup_truncated after truncate on postings for each statement execute function mark_rollup_all('postings');
-- Seen again is no change.
create trigger rollup_changed after update on postings for each row when (
  (old.source, old.company, old.country, old.city, old.remote_type, old.seniority, old.job_type, old.currency, old.pay, old.pay_inferred, old.first_seen_at,
   coalesce(old.group_id, old.key), old.data -> 'skills')
  is distinct from
  (new.source, new.company, new.country, new.city, new.remote_type, new.seniority, new.job_type, new.currency, new.pay, new.pay_inferred, new.first_seen_at,
   coalesce(new.group_id, new.key), new.data -> 'skills')
) execute function mark_rollup();

-- Prices are written and deleted, never changed.
create function mark_rollup_prices() returns trigger language plpgsql as $$
begin
  insert into windrow.rollup_marks select distinct 'prices', date_trunc('day', at, 'UTC') from changed;
  return null;
end $$;
create trigger rollup_new after insert on prices referencing new table as changed for each statement execute function mark_rollup_prices();
create trigger rollup_gone after delete on prices referencing old table as changed for each statement execute function mark_rollup_prices();
create trigger rollup_truncated after truncate on prices for each statement execute function mark_rollup_all('prices');

insert into rollup_buckets (kind, unit, at)
  select first.kind, u.unit, generate_series(date_trunc(u.unit, first.at at time zone 'utc'), now() at time zone 'utc', ('1 ' || u.unit)::interval) at time zone 'utc'
  from (select 'postings' as kind, (select min(first_seen_at) from postings) as at union all select 'prices', (select min(at) from prices)) first,
    unnest(array['day', 'week']) u(unit)
  where first.at is not null;
