-- Reads the table once, while it is written and read.
alter table prices validate constraint prices_bound;
