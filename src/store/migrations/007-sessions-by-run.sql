-- Sessions are looked up by their run: by people who wait for one, and when a dead letter is tried again.

create index sessions_run on sessions (run_seq, pos);
create index sessions_run_id on sessions (run_id);
