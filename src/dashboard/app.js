// The dashboard: jobs with their progress, live. It uses only the public API, and shows text from the web as text, never as HTML.

const byId = (id) => document.getElementById(id);
/** Nobody scrolls through more rows; older ones can be loaded. */
const JOBS_MAX = 200;
const jobs = new Map();
let nextCursor = null;
let shown = null;

/** An element with text and children; never HTML. */
function make(name, { text, className, ...attributes } = {}, ...children) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

async function call(method, path, body) {
  const reply = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await reply.json();
  if (!reply.ok) throw Object.assign(new Error(answer.detail ?? reply.statusText), { errors: answer.errors ?? [] });
  return answer;
}

const words = {
  IN_PROGRESS: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  PENDING: 'pending',
};
/** The same word as on the command line and in webhooks. */
const wordOf = (job) => (job.status === 'COMPLETED' && job.failed > 0 ? 'partial' : (words[job.status] ?? job.status));
const number = new Intl.NumberFormat('en');
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Only http and https URLs become links. */
function link(address) {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return make('span', { text: address });
  return make('a', { text: address, href: url.href, rel: 'noopener noreferrer nofollow', target: '_blank' });
}

function jobRow(job) {
  const done = make('span', { className: 'done' });
  const failed = make('span', { className: 'failed' });
  const rest = make('span');
  const bar = make('div', { className: 'bar', role: 'progressbar', 'aria-valuemin': '0' }, done, failed, rest);
  const badge = make('span', { className: 'badge' });
  const count = make('span', { className: 'count' });
  const button = make(
    'button',
    { type: 'button', className: 'job' },
    make('span', {}, make('code', { text: job.job_id })),
    bar,
    count,
    badge,
    make('span', { className: 'when', text: time.format(new Date(job.created_at)) }),
  );
  button.addEventListener('click', () => openDetails(job.job_id));
  const item = make('li', { 'data-id': job.job_id }, button);
  return { item, bar, done, failed, rest, badge, count };
}

function showJob(job, at = 'end') {
  let entry = jobs.get(job.job_id);
  if (!entry) {
    entry = { row: jobRow(job), job };
    jobs.set(job.job_id, entry);
    if (at === 'start') byId('jobs').prepend(entry.row.item);
    else byId('jobs').append(entry.row.item);
  }
  entry.job = job;
  const { row } = entry;
  const total = job.total_articles;
  row.done.style.flexGrow = job.completed;
  row.failed.style.flexGrow = job.failed;
  row.rest.style.flexGrow = Math.max(0, total - job.completed - job.failed);
  row.bar.setAttribute('aria-valuemax', total);
  row.bar.setAttribute('aria-valuenow', job.completed + job.failed);
  row.bar.setAttribute('aria-label', `${job.completed + job.failed} of ${total} articles`);
  row.count.textContent = `${number.format(job.completed)} of ${number.format(total)}${job.failed ? `, ${number.format(job.failed)} failed` : ''}`;
  row.badge.className = `badge ${job.status} ${wordOf(job)}`;
  row.badge.textContent = wordOf(job);
  byId('empty').hidden = true;
  byId('none').hidden = true;
}

async function loadJobs(isMore = false) {
  const filter = byId('filter').value;
  const query = new URLSearchParams({ limit: '25' });
  if (filter) query.set('status_filter', filter);
  if (isMore && nextCursor) query.set('cursor', nextCursor);
  const page = await call('GET', `/jobs/?${query}`);
  if (!isMore) {
    jobs.clear();
    byId('jobs').replaceChildren();
  }
  for (const job of page.jobs) showJob(job);
  nextCursor = page.next_cursor;
  byId('more').hidden = nextCursor === null;
  byId('empty').hidden = jobs.size > 0 || filter !== '';
  byId('none').hidden = jobs.size > 0 || filter === '';
}

function applyUpdate(update) {
  const known = jobs.get(update.job_id);
  // Updates of searches, companies and carts come too, and have no row here.
  if (!known) return update.job_id.startsWith('job_') ? void loadOne(update.job_id) : undefined;
  showJob({ ...known.job, status: update.status, completed: update.completed, failed: update.failed });
  if (shown?.id === update.job_id) showDetailsHead(jobs.get(update.job_id).job);
  const isOver = update.status !== 'IN_PROGRESS';
  if (isOver && shown?.id === update.job_id) void refreshDetails();
}

/** A job of another client: shown at its first update, a few at a time. */
const asked = new Set();
async function loadOne(id) {
  if (asked.size > 5 || asked.has(id) || byId('filter').value) return;
  asked.add(id);
  try {
    showJob(await call('GET', `/jobs/${encodeURIComponent(id)}/status`), 'start');
    while (jobs.size > JOBS_MAX) {
      const oldest = byId('jobs').lastElementChild;
      jobs.delete(oldest.dataset.id);
      oldest.remove();
    }
  } catch (error) {
    console.warn('could not load job', id, error);
  } finally {
    asked.delete(id);
  }
}

async function listen(waitMs = 500) {
  const live = byId('live');
  const again = () => setTimeout(() => listen(Math.min(waitMs * 2, 15_000)), waitMs * (0.5 + Math.random()));
  try {
    const { ticket } = await call('POST', '/ws/ticket');
    const base = location.href.replace(/^http/, 'ws');
    const socket = new WebSocket(new URL(`/ws?batch=1&ticket=${encodeURIComponent(ticket)}`, base));
    socket.addEventListener('open', () => {
      live.textContent = 'live';
      live.classList.add('on');
      waitMs = 500;
      void loadJobs().catch(showTrouble);
    });
    socket.addEventListener('message', (event) => JSON.parse(event.data).forEach(applyUpdate));
    socket.addEventListener('close', () => {
      live.textContent = 'reconnecting…';
      live.classList.remove('on');
      again();
    });
  } catch (error) {
    showTrouble(error);
    again();
  }
}

function showTrouble(error) {
  byId('live').textContent = `not connected: ${error.message}`;
  byId('live').classList.remove('on');
}

async function refreshFigures() {
  try {
    const [{ data }, health] = await Promise.all([
      call('GET', '/jobs/queue/status'),
      fetch('/health').then((reply) => reply.json()),
    ]);
    const sum = (field) => Object.values(data.queues).reduce((total, queue) => total + queue[field], 0);
    byId('waiting').textContent = number.format(sum('waiting') + sum('delayed') + sum('paused'));
    byId('active').textContent = number.format(sum('active'));
    byId('rate').textContent = number.format(data.throughput_per_minute);
    byId('workers').textContent = number.format(data.workers.length);
    byId('workers-label').textContent = data.workers.length === 1 ? 'worker' : 'workers';
    const missing = Object.entries(health.parts)
      .filter(([, part]) => part.status !== 'up')
      .map(([name]) => name);
    byId('health').className = `health ${health.status}`;
    byId('health-text').textContent = missing.length === 0 ? 'all systems up' : `not available: ${missing.join(', ')}`;
  } catch (error) {
    byId('health').className = 'health down';
    byId('health-text').textContent = error.message;
  }
}

byId('submit').addEventListener('submit', async (event) => {
  event.preventDefault();
  const says = byId('submit-says');
  const button = event.target.querySelector('button');
  const lines = byId('urls')
    .value.split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const priority = Number(byId('priority').value);
  button.disabled = true;
  says.className = 'says';
  says.textContent = '';
  try {
    const body = {
      articles: lines.map((url) => ({ url, priority })),
      ...(byId('fresh').checked ? { max_age_seconds: 0 } : {}),
    };
    const { job_id, total_articles, cached_articles } = await call('POST', '/jobs/submit', body);
    says.textContent = `Accepted as ${job_id}: ${total_articles} ${total_articles === 1 ? 'article' : 'articles'}${cached_articles ? `, ${cached_articles} already stored` : ''}.`;
    byId('urls').value = '';
    showJob(await call('GET', `/jobs/${job_id}/status`), 'start');
  } catch (error) {
    says.className = 'says bad';
    says.textContent = error.errors?.length ? 'Not valid:' : error.message;
    const items = (error.errors ?? []).slice(0, 10).map(({ pointer, detail }) => {
      const index = /^\/articles\/(\d+)\//.exec(pointer)?.[1];
      return make('li', { text: `${index === undefined ? pointer.slice(1) : `line ${Number(index) + 1}`} ${detail}` });
    });
    if (items.length > 0) says.append(make('ul', {}, ...items));
  } finally {
    button.disabled = false;
  }
});

function showDetailsHead(job) {
  byId('details-title').textContent = job.job_id;
  byId('details-status').textContent =
    `${wordOf(job)}: ${number.format(job.completed)} of ${number.format(job.total_articles)} articles, ${number.format(job.failed)} failed, ${number.format(job.total_articles - job.completed - job.failed)} pending`;
  byId('cancel').hidden = job.status !== 'IN_PROGRESS';
}

async function openDetails(id) {
  shown = { id, cursor: null };
  showDetailsHead(jobs.get(id).job);
  byId('details-waiting').textContent = '';
  byId('details-body').replaceChildren(make('p', { text: 'Loading…' }));
  byId('details').showModal();
  await refreshDetails();
}

async function refreshDetails(isMore = false) {
  if (!shown) return;
  const { id, cursor } = shown;
  const body = byId('details-body');
  try {
    const [{ waiting }, page] = await Promise.all([
      call('GET', `/runs/${encodeURIComponent(id)}`),
      call(
        'GET',
        `/jobs/${encodeURIComponent(id)}/results?limit=50${isMore && cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      ),
    ]);
    if (shown?.id !== id) return;
    byId('details-waiting').textContent = waiting ? `Waiting: ${waiting.message}` : '';
    const entries = [...page.results.map(resultEntry), ...page.failed_articles.map(failureEntry)];
    if (isMore) body.append(...entries);
    else body.replaceChildren(...(entries.length > 0 ? entries : [make('p', { text: 'No results yet.' })]));
    shown.cursor = page.next_cursor;
    byId('details-more').hidden = page.next_cursor === null;
  } catch (error) {
    body.replaceChildren(make('p', { className: 'wrong', text: error.message }));
  }
}

function resultEntry(result) {
  const about = [result.author, result.published_at, result.language, result.cached ? 'already stored' : null]
    .filter(Boolean)
    .join(' · ');
  return make(
    'article',
    { className: 'entry' },
    make('h3', { text: result.title ?? '(no title)' }),
    make('p', {}, link(result.url)),
    make('p', { text: about }),
    make('p', { className: 'text', text: (result.content ?? '').slice(0, 600) }),
  );
}

function failureEntry(failure) {
  return make(
    'article',
    { className: 'entry' },
    make('p', {}, link(failure.url)),
    make('p', { className: 'wrong', text: `${failure.error} (attempt ${failure.attempts})` }),
  );
}

byId('details').addEventListener('close', () => {
  shown = null;
});
byId('close').addEventListener('click', () => byId('details').close());
byId('details-more').addEventListener('click', () => void refreshDetails(true));
byId('more').addEventListener('click', () => void loadJobs(true).catch(showTrouble));
byId('filter').addEventListener('change', () => void loadJobs().catch(showTrouble));
byId('csv').addEventListener('click', async () => {
  // A link cannot set Accept, so the CSV is fetched and saved as a file.
  const { id } = shown;
  const reply = await fetch(`/jobs/${encodeURIComponent(id)}/results`, { headers: { accept: 'text/csv' } });
  const address = URL.createObjectURL(await reply.blob());
  make('a', { href: address, download: `${id}.csv` }).click();
  URL.revokeObjectURL(address);
});
byId('cancel').addEventListener('click', async () => {
  const { id } = shown;
  try {
    const { message } = await call('DELETE', `/jobs/${encodeURIComponent(id)}`);
    byId('details-status').textContent = message;
    byId('cancel').hidden = true;
  } catch (error) {
    byId('details-status').textContent = error.message;
  }
});

function sourceState({ paused, breaker, health, waiting, waiting_reason: reason }) {
  if (paused) return `paused${paused.reason ? `: ${paused.reason}` : ''}`;
  if (waiting > 0 && reason !== null) return reason;
  return breaker.state === 'closed' ? health.state : `breaker ${breaker.state.replace('_', ' ')}`;
}

function sourceRow(source) {
  const { last_day: day, last_error: error } = source;
  const action = source.paused ? 'resume' : 'pause';
  const button = make('button', { type: 'button', text: action, 'aria-label': `${action} ${source.name}` });
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const held = await call('POST', `/sources/${encodeURIComponent(source.name)}/${action}`);
      byId('sources-says').textContent = held.paused
        ? `Paused ${held.name}: ${number.format(held.tasks)} ${held.tasks === 1 ? 'task' : 'tasks'} waiting`
        : `Resumed ${held.name}`;
    } catch (problem) {
      byId('sources-says').textContent = problem.message;
    }
    // The server caches its answer for two seconds.
    setTimeout(() => void refreshSources(), 2_000);
  });
  const cells = [
    sourceState(source),
    number.format(source.waiting),
    number.format(day.attempts),
    day.success_rate === null ? '–' : `${Math.round(day.success_rate * 100)} %`,
    day.latency_seconds.p50 === null ? '–' : `${day.latency_seconds.p50.toFixed(2)} s`,
    number.format(day.items),
    error ? error.message.slice(0, 80) : '',
  ];
  return make(
    'tr',
    { 'data-source': source.name },
    make('th', { scope: 'row', text: source.name }),
    ...cells.map((text) => make('td', { text })),
    make('td', {}, button),
  );
}

/** Sources that are active, waiting, paused or broken. */
async function refreshSources() {
  try {
    const { sources } = await call('GET', '/sources');
    const shownSources = sources.filter(
      (source) => source.paused || source.breaker.state !== 'closed' || source.waiting + source.last_day.attempts > 0,
    );
    byId('sources-card').hidden = shownSources.length === 0;
    byId('sources').replaceChildren(...shownSources.map(sourceRow));
  } catch (error) {
    byId('sources-says').textContent = error.message;
  }
}

void listen();
void refreshFigures();
void refreshSources();
setInterval(() => {
  if (!document.hidden) void refreshFigures();
}, 3_000);
setInterval(() => {
  // Not while someone uses the table.
  if (!document.hidden && !byId('sources').contains(document.activeElement)) void refreshSources();
}, 5_000);
