-- Crowds are let in first and seated after: when many submit at once, each batch of submissions is kept as one row, as it came, and becomes runs, tasks and
-- queue rows a moment later. A run is either here or in `runs`, never in both.
create table arrivals (
  seq bigint generated always as identity primary key,
  -- What its tasks bring; a row holds submissions of one kind.
  kind text not null,
  runs int not null,
  tasks int not null,
  -- Different ones among them.
  keys int not null,
  submissions text not null,
  arrived_at timestamptz not null default now(),
  -- Later than its arrival only for what could not be unpacked.
  due_at timestamptz not null default now()
);
-- Read once and soon: packing it would cost more than the room it takes.
alter table arrivals alter column submissions set storage external;
