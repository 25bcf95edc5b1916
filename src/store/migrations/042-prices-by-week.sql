-- Prices by the week: what is past its retention is dropped with its week, instead of being looked for and deleted row by row. All rows until now are one partition; its constraint says
-- where they lie, so that nothing is read for it. Weeks are made ahead by the orchestrator that trims; rows that fit into none are in `prices_default`, so none is ever refused.
-- Processes of the version before find a table of the same name and columns.
do $$
declare
  bound timestamptz := (select value from marks where name = 'prices_bound');
begin
  alter table prices rename to prices_before;
  alter index prices_product rename to prices_before_product;
  alter index prices_time rename to prices_before_time;
  create table prices (like prices_before including defaults) partition by range (at);
  create index prices_product on prices (product, at);
  create index prices_time on prices using brin (at);
  execute format('alter table prices attach partition prices_before for values from (minvalue) to (%L)', bound);
  alter table prices_before drop constraint prices_bound;
  create table prices_default partition of prices default;
  delete from marks where name = 'prices_bound';
end $$;

-- Triggers of statements belong to the table that a statement names. Those of `prices_before` stayed with it.
create trigger rollup_new after insert on prices referencing new table as changed for each statement execute function mark_rollup_prices();
create trigger rollup_gone after delete on prices referencing old table as changed for each statement execute function mark_rollup_prices();
create trigger rollup_truncated after truncate on prices for each statement execute function mark_rollup_all('prices');
create trigger rollup_gone after delete on prices_default referencing old table as changed for each statement execute function mark_rollup_prices();

-- The retention of the version before deletes by `ctid`, which means a row in one partition and another row in the next. While both versions work it deletes nothing.
create function keep_row() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger deleted_by_ctid before delete on prices for each row
  when (current_query() like '%delete from prices where ctid in (select ctid from prices where at <%') execute function keep_row();
