-- What earlier attempts asked of the web, of tasks that were tried again: a task's outcome has only what its last attempt says.
create table earlier_attempts (
  task_id uuid primary key,
  requests_made int not null,
  rate_limited boolean not null,
  captcha_encountered boolean not null,
  proxy_used text
);
