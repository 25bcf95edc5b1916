-- What attempts at a source in trouble came to, for the breaker of all orchestrators together. Written only while a source is in trouble, kept for
-- minutes, and of no value after a crash of the server.
create unlogged table source_verdicts (
  source text not null,
  task_id uuid not null,
  at timestamptz not null,
  -- Null: the site answered.
  trouble text,
  throttled boolean not null
);
create index source_verdicts_source on source_verdicts (source, at desc);
