-- Whether the worker that holds a task had begun it when it was last heard of: only then the task can be what took the worker down. Null while nobody
-- has said so.
alter table leases add column started boolean;
