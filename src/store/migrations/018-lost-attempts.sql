-- Attempts whose lease ran out. If their worker speaks after all, before somebody else has begun, it goes on: with the parts that were recorded, and without
-- the loss being counted.
create table lost_attempts (
  task_id uuid primary key,
  attempt int not null,
  part int not null,
  crashes smallint not null,
  lost_at timestamptz not null default now()
);
create index lost_attempts_age on lost_attempts (lost_at);
