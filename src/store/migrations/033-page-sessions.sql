-- Who is signed in to the dashboard, by the hash of what the browser keeps: the API key itself is neither there nor here. A session ends with its key.
create table page_sessions (
  hash bytea primary key,
  key_id text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index page_sessions_expires_at on page_sessions (expires_at);
