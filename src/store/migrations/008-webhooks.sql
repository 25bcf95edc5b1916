-- Webhooks: who wants to be told what, and the outbox. A delivery is written in the transaction of what it tells, so that nothing is told that did not
-- happen, and nothing that happened stays untold.

create table webhooks (
  id text primary key,
  url text not null,
  events text[] not null,
  -- They have to sign, so they cannot be hashed. The one in use comes first; the one before it signs too until `old_secret_until`.
  secrets text[] not null,
  old_secret_until timestamptz,
  description text,
  disabled_at timestamptz,
  disabled_reason text,
  request_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- How a receiver has been doing: a webhook by its id, the address a run names by its origin. Whoever fails is left alone for a while.
create table receivers (
  id text primary key,
  -- In a row.
  failures int not null default 0,
  open_at timestamptz,
  ok_at timestamptz
);

create table deliveries (
  seq bigint generated always as identity primary key,
  -- The same for everyone who is told, and at every attempt.
  event_id text not null,
  receiver text not null,
  -- Null where a run named the address. No foreign key: a webhook deleted at this moment must not fail the recording of results.
  webhook_id text,
  -- Null where a webhook has it.
  url text,
  type text not null,
  -- The bytes that are signed and sent.
  body text not null,
  request_id text,
  -- `waiting`, `delivered`, `dead` (given up), `expired` (what it tells is gone).
  state text not null default 'waiting',
  -- Also the fencing token: what an attempt that is not the last one reports changes nothing.
  attempts int not null default 0,
  -- Attempts before it was last asked to be sent again: the schedule begins anew.
  attempts_before int not null default 0,
  -- While an attempt is under way, when it is given up for lost.
  next_at timestamptz not null default now(),
  last_status int,
  last_error text,
  last_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique nulls not distinct (event_id, receiver, url)
) with (fillfactor = 80);
create index deliveries_due on deliveries (receiver, next_at) where state = 'waiting';
create index deliveries_expiring on deliveries (expires_at) where state = 'waiting' and expires_at is not null;
create index deliveries_ended on deliveries (ended_at) where state <> 'waiting';
create index deliveries_list on deliveries (webhook_id, seq);

-- Attempts by what came of them, for the metrics: orchestrators come and go, a counter must not fall.
create table delivery_totals (
  outcome text primary key,
  count bigint not null default 0
);
insert into delivery_totals (outcome) values ('delivered'), ('retried'), ('dead'), ('expired');

-- What subscribers were last told of a source.
create table source_states (
  source text primary key,
  state text not null,
  since timestamptz not null default now()
);
