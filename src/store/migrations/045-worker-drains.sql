-- Workers that a person asked to take no more tasks, until they are resumed. Here and not on the wire, which may lose it.
create table worker_drains (
  worker text primary key,
  asked_at timestamptz not null default now(),
  reason text,
  asked_by text,
  -- When the worker was last heard of: a name that nobody has any more is forgotten.
  seen_at timestamptz not null default now()
);
