-- How much each owner has asked for on a day (of UTC), and how much its keys allow. Only owners with a limit have rows, and those of the days before go with the next one.
create table owner_days (
  owner text not null,
  day date not null,
  tasks bigint not null,
  primary key (owner, day)
);
alter table api_keys add column max_tasks_per_day int;
