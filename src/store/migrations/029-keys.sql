-- API keys, by their hash: the key itself is nowhere. Keys are random, so a plain SHA-256 is enough, and it can be looked up.
create table api_keys (
  seq bigint generated always as identity primary key,
  id text not null unique,
  hash bytea not null unique,
  -- The beginning of the key, to recognise it by.
  prefix text not null,
  name text not null,
  owner text not null,
  scope text not null,
  -- Null: as the settings say.
  requests_per_minute int,
  max_open_tasks int,
  -- The key that this one was made to replace.
  replaces text,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Written about once a minute, and no change.
  last_used_at timestamptz,
  -- What API processes read since they read last.
  changed_at timestamptz not null default now()
);
create index api_keys_changed on api_keys (changed_at);
create index api_keys_owner on api_keys (owner);
