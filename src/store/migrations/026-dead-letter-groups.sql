-- Dead letters by cause, counted as they come and go: a screen asks for the groups every few seconds, and there may be a million letters.

-- An orchestrator of an earlier version may go on for a while, and does not know the column.
alter table dead_letters add column code text not null default 'unknown';
update dead_letters d set code = coalesce(o.error->>'code', d.category) from outcomes o where o.task_id = d.task_id;
create index dead_letters_cause on dead_letters (source, category, code, died_at, task_id);

-- Differences, added up by who reads: recorders that fail tasks of one cause at the same time do not wait for each other's row. An orchestrator adds them up
-- to one row for each cause every minute.
create table dead_letter_counts (
  source text not null,
  category text not null,
  code text not null,
  n bigint not null
);
insert into dead_letter_counts select source, category, code, count(*) from dead_letters group by 1, 2, 3;

create function count_dead_letters() returns trigger language plpgsql set search_path from current as $$
begin
  insert into dead_letter_counts
  select source, category, code, case when tg_op = 'INSERT' then count(*) else - count(*) end from changed group by 1, 2, 3;
  return null;
end $$;
create trigger dead_letters_come after insert on dead_letters referencing new table as changed
  for each statement execute function count_dead_letters();
create trigger dead_letters_go after delete on dead_letters referencing old table as changed
  for each statement execute function count_dead_letters();

-- Every attempt that went wrong, the latest last: number, worker, times, error.
alter table earlier_attempts add column attempts jsonb not null default '[]';
