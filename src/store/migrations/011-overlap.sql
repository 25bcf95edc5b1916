-- What a schedule does that is due while its last run is under way: `skip` this time, or `queue` behind that run.
alter table schedules add column overlap text not null default 'skip';
