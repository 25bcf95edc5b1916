-- Prices become a table of weeks in three steps, of which none holds up who writes or reads them: a bound that all rows lie before, its check, and the weeks after it.
-- A row is dated by the server's clock, so five weeks are far more than the steps need; rows that are dated later move the bound. Until the last step is done, rows after the
-- bound would be refused: every start goes on with it.
do $$
declare
  bound timestamptz;
begin
  -- Reads the table; nothing waits for that.
  select (date_trunc('week', greatest(now(), max(at)) at time zone 'utc') + interval '5 weeks') at time zone 'utc' into bound from prices;
  insert into marks (name, value) values ('prices_bound', to_char(bound at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'));
  execute format('alter table prices add constraint prices_bound check (at < %L) not valid', bound);
end $$;
