-- Tickets for opening a WebSocket, by their hash. Using one deletes it, so it works once among all API processes. Lost in a crash of PostgreSQL: a page gets
-- another.
create unlogged table socket_tickets (
  hash bytea primary key,
  key_id text,
  expires_at timestamptz not null
);
create index socket_tickets_expires_at on socket_tickets (expires_at);
