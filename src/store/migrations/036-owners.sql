-- Whose work it is: the owner of the key that asked. Null: nobody's in particular (no keys were needed, or it is older than this), which only keys of scope admin
-- see where keys are needed. What is listed has it beside it, so that a list of one owner reads nobody else's rows; where nobody has an owner the indexes are empty.
alter table runs add column owner text;
create index runs_owner on runs (owner, seq) where owner is not null;
create index runs_owner_running on runs (owner) where owner is not null and status = 'running';

alter table schedules add column owner text;
alter table alerts add column owner text;

-- Of a webhook, null also means that it is told of everything.
alter table webhooks add column owner text;
-- Of those to the address that a run named.
alter table deliveries add column owner text;
create index deliveries_owner on deliveries (owner, seq) where owner is not null and webhook_id is null;

-- Of the run that the task was made for.
alter table dead_letters add column owner text;
create index dead_letters_owner on dead_letters (owner, died_at, task_id) where owner is not null;
alter table evidence add column owner text;
create index evidence_owner on evidence (owner, seq) where owner is not null;
alter table quality_checks add column owner text;
create index quality_checks_owner on quality_checks (owner, id) where owner is not null;

-- Of its run.
alter table sessions add column owner text;
create index sessions_owner on sessions (owner, started_at, id) where owner is not null;
