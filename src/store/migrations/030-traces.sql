-- The span that a delivery follows from, so that sending it is part of the trace of its run. Null where nothing is traced.
alter table deliveries add column traceparent text;
