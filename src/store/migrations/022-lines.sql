-- Which line a ready task stands in: that of its source and of who asked for it, so that both share the workers; or that of a host which can take no more now
-- (model/task/line.ts). And the host whose rate limit it waits for, in the queue and while it is out: no more are sent than the host can take.

alter table queue add column line text collate "C" not null default '', add column host text collate "C";
alter table leases add column line text collate "C" not null default '', add column host text collate "C";
update queue set line = t.source from tasks t where t.id = queue.task_id;
update leases set line = t.source from tasks t where t.id = leases.task_id;

drop index queue_ready;
create index queue_ready on queue (lane, line, band, turn) where due_at is null;
create index leases_host on leases (host) where host is not null;
