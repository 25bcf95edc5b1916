-- Who is in an arrival, to be told without unpacking it: the ids of its runs in their order, a comma between two.
alter table arrivals add column run_ids text not null default '';
alter table arrivals alter column run_ids set storage external;
