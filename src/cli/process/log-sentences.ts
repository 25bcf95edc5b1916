// What each event of the log says to a person at a terminal. `{field}` is filled in from the line; a part in square brackets is left out when one of its
// fields is missing. Fields that a sentence does not use are shown after it. Every event that the code logs has a row (log-sentences.test.ts).

export const LOG_SENTENCES: Readonly<Record<string, string>> = {
  'process.started': 'Started {role}[ {name}][ {worker}][ at {url}][ at {origin}]',
  'process.stopping': 'Stopping after {signal}: running tasks may finish first',
  'process.stopped': 'Stopped with exit code {code}',
  'process.cut_short': 'Second {signal}: stopping at once',
  'process.part_lost': 'Stopping: {part} failed: {error}',
  'process.part_stopped': 'Stopped {part} after {seconds} s',
  'process.part_stop_failed': 'Could not stop {part}: {error}',
  'process.part_stuck': 'Gave up stopping {part} after {seconds} s',
  'process.uncaught_exception': 'Stopping after an uncaught error: {error}',
  'process.unhandled_rejection': 'Stopping after an unhandled rejection: {error}',
  'config.warning': 'Configuration: {warning}',
  'sandbox.on': 'Sandbox mode: all pages come from {origin}, {effect}',

  'traces.on': 'Traces are on, sampler {sampler}',
  'traces.protocol': 'OTEL_EXPORTER_OTLP_PROTOCOL={protocol} is not supported: traces are sent as {used}',
  'traces.unsent':
    'Cannot send traces to the collector (OTEL_EXPORTER_OTLP_ENDPOINT): {error}. They are dropped until it answers',
  'traces.sent_again': 'Traces are sent again. {lost} spans were lost',

  'api.listening': 'Listening on {url}',
  'api.limits': '{hint}',
  'request.answered': '{method} {route} → {status} in {seconds} s',
  'request.failed': 'Request to {route} failed with {status}: {error}',
  'request.refused': 'Request to {route}[ and {others} others] refused with {status}: {error}',
  'keys.stale': 'Could not read the API keys: {error}. Those that are known keep working',
  'keys.fresh': 'The API keys can be read again',
  'key.created': 'Created API key {key_id} ({prefix}…) with scope {scope} for {owner}',
  'key.changed': 'Changed API key {key_id} of {owner}',
  'key.revoked': 'Revoked API key {key_id} of {owner}',
  'key.rotated': 'Created API key {key_id} of {owner} in place of {replaces}',
  'session.opened': 'Somebody signed in to the dashboard with API key {key_id}',
  'session.closed': 'Somebody signed out of the dashboard',
  'socket.failed': 'A WebSocket failed: {error}',
  'socket.state_unknown': 'Could not read the state of a run for its WebSocket: {error}',
  'socket.look_up_failed': 'Could not look up a run for its WebSocket: {error}',

  'store.newer':
    'The database is at migration {newest} of a newer Windrow, this one knows {known}. Upgrade this process soon',
  'store.migrated': 'Applied database migration {name}',
  'store.connection_lost': 'Lost a connection to PostgreSQL[ at {address} (DATABASE_URL)]: {error}. Reconnecting…',
  'replica.used': 'Lists are read from the replica at {address} (DATABASE_READ_URL)',
  'replica.not_used': 'The replica at {address} (DATABASE_READ_URL) is not used: {detail}',
  'store.waiting': '{error}. Waiting for it…',
  'crawl.pages_queued': 'Queued {pages} pages of crawls',
  'analytics.rolled_up': 'Rolled up {buckets} days and weeks for analytics',
  'store.trimmed': 'Deleted rows past their retention time',
  'embedded.ready': 'Embedded PostgreSQL is ready[ in {folder}]',
  'embedded.died': 'Embedded PostgreSQL (process {pid}) exited with {code}. Restarting…',
  'embedded.no_space':
    'Embedded PostgreSQL stopped: no space left on the disk of {folder} ({free_mb} MB free). Free some: it starts again by itself',
  'embedded.start_failed': 'Embedded PostgreSQL could not be started again: {error}. Next try in {seconds} s',
  'embedded.home_file_failed': 'Could not write server.json to the home folder: {error}',
  'embedded.leftover': 'Stopping PostgreSQL processes left over from an earlier start: {pids}',
  'embedded.log_unbounded': 'Could not shorten the log file of the embedded PostgreSQL: {error}',
  'embedded.placed_elsewhere': 'Embedded PostgreSQL keeps its data in {folder}: {reason}',
  'wire.setup': 'Redis at {address} (REDIS_URL): {problem}',
  'wire.key_moved':
    'The key {key} in Redis at {address} was no {expected}: renamed to {to}, and made anew. Look who wrote it, then delete it',
  'wire.error': 'Cannot reach Redis at {address} (REDIS_URL): {error}. Retrying…',

  'run.accepted':
    'Accepted run {run_id}[: {total} articles, {cached} already stored][ on {site_name}][: {companies} companies][: cart of {items} items]',
  'run.settled': '{mark}[ {what} ][ {brought}][ in {duration}][ ({rate}/s)][, {failures} failed]',
  'run.cancelled': 'Cancelled run {run_id}: {removed} tasks removed',
  'tasks.dispatched': 'Sent {count} tasks to lane {lane}',
  'task.started': 'Worker {worker} began attempt {attempt} at task {task_id} of {site_name}',
  'task.ended':
    'Worker {worker} ended attempt {attempt} at task {task_id} of {site_name} after {seconds} s: {outcome}, {items} items[: {error}]',
  'task.done': 'Task {task_id} of {site_name} is done after {seconds} s',
  'task.retried': 'Task {task_id} of {site_name} failed on attempt {attempt} and is tried again: {error}',
  'task.failed': 'Task {task_id} of {site_name} failed on attempt {attempt}: {error}',
  'task.stale': 'Ignored a late result of task {task_id} of {site_name}: attempt {attempt} is over',
  'lease.taken_back': 'Gave {tasks} tasks back to their worker, which is alive after all',
  'leases.reaped': 'Queued {found} tasks again that no worker reported on ({reason})',
  'lease.lost': 'Worker {worker} no longer holds {tasks} of its tasks',
  'report.invalid': 'Ignored a report that is not valid: {problem}',
  'report.refused': 'Could not record the report {report}: {error}',
  'results.early': 'Waiting for earlier parts of {results} results',
  'spool.drained': 'Wrote {runs} accepted runs to the queue',
  'spool.set_aside': 'Could not write run {run_id} to the queue: {error}',
  'orchestrator.error': 'The {loop} loop failed and is tried again: {error}',
  'dead_letters.removed': 'Deleted {count} dead letters',
  'dead_letters.retried': 'Retrying {count} dead letters in run {run_id}',

  'quality.decided': 'Suspect results of run {run_id} were {decision}: {items} items',
  'quality.suspect': '{site_name} brought results that look wrong (run {run_id}): {found}',
  'quality.held':
    '{site_name} brought results that look wrong, kept apart until `windrow quality` decides (run {run_id}): {found}',
  'source.breaker': 'Circuit breaker of {site_name} is now {change}[: {trouble}]',
  'source.paused': 'Paused {site_name}: {tasks} tasks waiting',
  'source.resumed': 'Resumed {site_name}: {tasks} tasks released',
  'source.degraded': 'Source {source} is degraded: {done} tasks done, {failed} failed in the last minutes',
  'sources.loaded': 'Loaded your own sources: {sources}',
  'sources.not_loaded': 'Cannot use the source module {module}: {reason}',
  'source.recovered': 'Source {source} has recovered: {done} tasks done, {failed} failed in the last minutes',

  'company.created': 'Created company {company}',
  'company.changed': 'Updated company {company}',
  'company.deleted': 'Deleted company {company}',
  'companies.imported':
    'Imported companies: {created} created, {updated} updated, {unchanged} unchanged, {refused} refused',
  'session.settled':
    'Scrape of {company} ended as {status}: {found} positions found, {new} new, {updated} updated, {deactivated} closed[ (none closed: {closing_refused})]',
  'session.refused': 'Could not store the positions of session {session}: {error}',

  'schedule.created': 'Created schedule {schedule}',
  'schedule.changed': 'Updated schedule {schedule}',
  'schedule.deleted': 'Deleted schedule {schedule}',
  'schedule.started': 'Schedule {schedule} started run {run_id}',
  'schedule.done': 'Schedule {schedule} is done[: {reason}]',
  'schedule.skipped': 'Schedule {schedule} was skipped: {reason}',
  'schedule.failed': 'Schedule {schedule} failed: {reason}',
  'scheduler.error': 'The scheduler failed and is tried again: {error}',

  'alert.created': 'Created alert {alert}',
  'alert.changed': 'Updated alert {alert}',
  'alert.deleted': 'Deleted alert {alert}',
  'alert.file_written': 'Wrote {matches} matches to {file}',
  'alert.file_failed': 'Could not write the alert file {file}: {error}',
  'postings.grouped': 'Compared {looked} new postings with {compared} others: {moved} changed their group',
  'postings.announced': 'Announced {news} new postings: {matches} alert matches',

  'webhook.created': 'Created webhook {webhook}',
  'webhook.changed': 'Updated webhook {webhook}',
  'webhook.deleted': 'Deleted webhook {webhook}',
  'webhook.rotated': 'Rotated the secret of webhook {webhook}',
  'webhook.redelivered': 'Redelivering {delivery} of webhook {webhook}',
  'webhook.delivered': 'Delivered {type} to {receiver}',
  'webhook.failed':
    'Could not deliver {type} to {receiver} on attempt {attempt}: {error}[. Retrying in {retry_in_seconds} s]',
  'webhooks.swept': 'Dropped webhook deliveries: {expired} expired, {dropped} over the limit',

  'worker.no_browser': 'Worker {worker} does not take tasks of lane browser: {reason}',
  'metrics.listening': 'Metrics: {url}/metrics',
  'worker.started': 'Worker {worker} takes up to {slots} tasks at a time from lanes {lanes}',
  'worker.drained': 'Worker {worker} is draining: it ends {busy} tasks and takes no more',
  'worker.resumed': 'Worker {worker} takes tasks again',
  'worker.drain_asked': 'Draining worker {worker}: {busy} tasks in hand',
  'worker.resume_asked': 'Resuming worker {worker}',
  'worker.stopped': 'Worker {worker} stopped: {returned} unfinished tasks went back to the queue',
  'worker.take_failed': 'Worker {worker} cannot take tasks: {error}. Retrying…',
  'worker.report_failed': 'Worker {worker} cannot send results: {error}. Retrying…',
  'worker.beat_failed': 'Worker {worker} could not send its heartbeat: {error}',
  'worker.isolation_failed': 'Worker {worker} could not start a separate process for a suspect task: {error}',
  'worker.unsent': 'Worker {worker} stopped with results it could not send: {error}',

  'pace.error': 'Cannot share rate limits through Redis (REDIS_URL): {error}. Retrying…',
  'archive.failed': 'Could not write a page to the archive: {error}',
  'cache.failed': 'Could not write a page to the cache: {error}',
  'evidence.failed': 'Worker {worker} could not send the page of a failed attempt: {error}',
  'evidence.kept': 'Saved the page that attempt {attempt} at task {task_id} of {site_name} saw',
  'evidence.invalid': 'Ignored a saved page that is not valid: {problem}',
};

/** Error texts of libraries, in plain words. */
const ERROR_SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/max retries per request/i, 'Redis does not answer'],
  [/^(Error: )?Connection is closed/i, 'Redis does not answer'],
  [/^(Error: )?Stream isn't writeable/i, 'Redis does not answer'],
  [/^(Error: )?Command timed out/i, 'Redis did not answer in time'],
  [/^(\w+Error: )?The store cannot accept work right now/, 'PostgreSQL does not answer or is too busy'],
  [/connect ECONNREFUSED \S+/, 'connection refused'],
  [/getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)/, 'host name $1 not found'],
];

export function plainError(text: string): string {
  const row = ERROR_SENTENCES.find(([pattern]) => pattern.test(text));
  const found = row?.[0].exec(text);
  return row && found ? row[1].replace('$1', found[1] ?? '') : text.replace(/^\w*Error: /, '');
}

/** The sentence of a line, and the names of the fields it used. An event without a row is shown by its name. */
export function sentenceFor(
  event: string,
  field: (name: string) => string | undefined,
): { text: string; used: ReadonlySet<string> } {
  const used = new Set<string>();
  const fill = (part: string): string =>
    part.replace(/\{(\w+)\}/g, (_, name: string) => {
      used.add(name);
      return field(name) ?? '?';
    });
  const hasAll = (part: string): boolean =>
    [...part.matchAll(/\{(\w+)\}/g)].every(([, name]) => field(name!) !== undefined);
  const template = LOG_SENTENCES[event] ?? event.replace(/[._]/g, ' ');
  const text = template.replace(/\[([^[\]]*)\]/g, (_, part: string) => (hasAll(part) ? part : ''));
  return { text: singular(fill(text)), used };
}

const singular = (text: string): string =>
  text
    .replace(/\b1 (unfinished task|task|article|run|result|new posting|position|dead letter|row|item)s\b/g, '1 $1')
    .replace(/\b1 companies\b/g, '1 company')
    .replace(/\b1 (alert )?matches\b/g, '1 $1match');
