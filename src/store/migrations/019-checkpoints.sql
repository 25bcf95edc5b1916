-- How far attempts at a task have come that were not its last: the next attempt goes on there.
create table checkpoints (
  task_id uuid primary key,
  checkpoint json not null,
  reached_at timestamptz not null default now()
);
