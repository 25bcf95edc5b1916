-- The queue, minute by minute, so that a page which is opened now shows the last hours. Two days of minutes are 2880 rows; older ones are deleted as new ones come.
create table queue_history (
  at timestamptz primary key,
  waiting int not null,
  active int not null,
  delayed int not null,
  held int not null,
  -- How long the oldest task that waits for a worker has waited; null when none does.
  oldest_seconds real
);
