// Companies, positions, sessions and schedules over HTTP, on the sandbox's career pages.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompanyWorld, openCompanyWorld } from '../../support/worlds/company-world.ts';

let world: CompanyWorld;
beforeAll(async () => {
  world = await openCompanyWorld({ now: () => Date.UTC(2026, 8, 1, 7) });
});
afterAll(() => world?.close());

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: unknown, headers: object = {}) {
  const reply = await world.api.inject({
    method,
    url,
    headers: { ...headers },
    ...(payload === undefined ? {} : { payload: payload as object }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() as any };
}

const acme = {
  name: 'Acme Works',
  website: 'https://acme.example/',
  scraping_config: { scraper_type: 'greenhouse', board: 'acme-12' },
};

test('a company is made, read by id and name, changed and deleted', async () => {
  const made = await call('POST', '/companies', acme);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ ...acme, active: true });
  expect(made.headers.location).toBe(`/companies/${made.body.id}`);
  expect((await call('GET', '/companies/acme%20works')).body).toEqual(made.body);
  expect((await call('GET', `/companies/${made.body.id}`)).body).toEqual(made.body);
  expect((await call('PATCH', '/companies/Acme%20Works', { active: false })).body).toMatchObject({
    ...acme,
    active: false,
  });
  expect((await call('POST', '/companies', { ...acme, name: 'ACME works' })).body).toMatchObject({
    status: 422,
    errors: [{ pointer: '/name' }],
  });
  expect((await call('DELETE', `/companies/${made.body.id}`)).body).toMatchObject({ deleted: true });
  expect((await call('GET', `/companies/${made.body.id}`)).status).toBe(404);
});

test('settings are checked by the source they name, each with its field', async () => {
  const wrong = await call('POST', '/companies', {
    name: 'X',
    scraping_config: { scraper_type: 'lever', regoin: 'eu' },
  });
  expect(wrong.status).toBe(422);
  const pointers = wrong.body.errors.map((error: { pointer: string }) => error.pointer);
  expect(pointers).toContain('/scraping_config/regoin');
  expect(pointers).toContain('/scraping_config/site');
  expect(
    (await call('POST', '/companies', { name: 'X', scraping_config: { scraper_type: 'telepathy' } })).body.errors[0]
      .pointer,
  ).toBe('/scraping_config/scraper_type');
});

test('a file of companies says what became of each row, in JSON and in YAML', async () => {
  const rows = [
    { name: 'Import One', scraping_config: { scraper_type: 'ashby', board: 'one' } },
    { name: 'Import Two', scraping_config: { scraper_type: 'ashby' } },
    { name: 'import one', scraping_config: { scraper_type: 'ashby', board: 'other' } },
  ];
  const first = await call('POST', '/companies/import', { companies: rows });
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ total: 3, created: 1, updated: 0, unchanged: 0, refused: 2 });
  expect(first.body.rows.map((row: { result: string }) => row.result)).toEqual(['created', 'refused', 'refused']);
  const yaml = [
    'companies:',
    '  - name: Import One',
    '    scraping_config: { scraper_type: ashby, board: one }',
    '  - name: Import Three',
    '    active: false',
    '    scraping_config: { scraper_type: lever, site: three }',
  ].join('\n');
  const second = await call('POST', '/companies/import', yaml, { 'content-type': 'application/yaml' });
  expect(second.body).toMatchObject({ total: 2, created: 1, unchanged: 1, refused: 0 });
  expect((await call('POST', '/companies/import', 'a: [', { 'content-type': 'text/yaml' })).status).toBe(422);
  expect((await call('PATCH', '/companies/Import%20One', { active: false })).status).toBe(200);
});

test('a list of companies goes on where the page ended', async () => {
  for (const name of ['List A', 'list b', 'List C'])
    await call('POST', '/companies', { name, active: false, scraping_config: { scraper_type: 'ashby', board: 'x' } });
  const first = (await call('GET', '/companies?q=LIST&limit=2')).body;
  expect(first).toMatchObject({ total: 3, companies: [{ name: 'List A' }, { name: 'list b' }] });
  const rest = (await call('GET', `/companies?q=LIST&limit=2&cursor=${first.next_cursor}`)).body;
  expect(rest).toMatchObject({ companies: [{ name: 'List C' }], next_cursor: null });
  expect((await call('GET', '/companies?cursor=bm9wZQ')).status).toBe(422);
});

test('a scrape is answered at once, and its session and positions can be read', async () => {
  await call('POST', '/companies', acme);
  const headers = { 'idempotency-key': 'scrape-acme' };
  const accepted = await call('POST', '/companies/Acme%20Works/scrape', { incremental: false }, headers);
  expect(accepted.status).toBe(202);
  expect(accepted.body).toMatchObject({
    status: 'success',
    data: { run_id: expect.stringMatching(/^manual_[0-9a-f]{8,}$/), status: 'queued' },
  });
  const again = await call('POST', '/companies/Acme%20Works/scrape', { incremental: false }, headers);
  expect(again.body).toEqual(accepted.body);
  expect(again.headers['idempotent-replay']).toBe('true');
  const runId = accepted.body.data.run_id;
  await world.settled(runId);
  const { sessions, total } = (await call('GET', '/sessions?company=acme%20works')).body;
  expect(total).toBe(1);
  expect(sessions[0]).toMatchObject({
    run_id: runId,
    status: 'completed',
    company: 'Acme Works',
    errors: [],
    deactivated: 0,
  });
  expect(sessions[0].new).toBe(sessions[0].jobs_found);
  const all = (await call('GET', '/positions?company=Acme%20Works&active=true&limit=1000')).body;
  expect(all.total).toBe(sessions[0].new);
  expect((await call('GET', '/positions?company=Acme%20Works&new_since=1d')).body.total).toBe(all.total);
  expect((await call('GET', `/positions?new_since=${new Date(Date.now() + 60_000).toISOString()}`)).body.total).toBe(0);
  const [position] = all.positions;
  const word = position.title.split(' ')[0].toUpperCase();
  const found = (await call('GET', `/positions?q=${encodeURIComponent(word)}&company=Acme%20Works&limit=1000`)).body;
  expect(found.positions.map((other: { id: string }) => other.id)).toContain(position.id);
  for (const other of found.positions)
    expect(`${other.title} ${other.department} ${other.location} ${other.company}`.toUpperCase()).toContain(word);
  const one = (await call('GET', `/positions/${position.id}`)).body;
  expect(one).toMatchObject({ title: position.title, job_url: position.job_url, history: [{ kind: 'created' }] });
  expect((await call('GET', `/jobs/scrape/${runId}`)).body.data).toMatchObject({ run_id: runId, status: 'succeeded' });
});

test('all active companies are scraped by one run, without a body too', async () => {
  const { body, status } = await call('POST', '/companies/scrape');
  expect(status).toBe(202);
  expect(body.data.companies).toBe((await call('GET', '/companies?active=true')).body.total);
  await world.settled(body.data.run_id);
});

test('positions come as lines and rows too: all that match, more than a chunk of them, in the order of the pages', async () => {
  await call('POST', '/companies', {
    name: 'Northwick',
    scraping_config: { scraper_type: 'greenhouse', board: 'northwick-450' },
  });
  const started = await call('POST', '/companies/Northwick/scrape');
  await world.settled(started.body.data.run_id);
  const text = async (query: string, headers = {}) => {
    const reply = await world.api.inject({ method: 'GET', url: `/positions?company=Northwick${query}`, headers });
    return { type: reply.headers['content-type'], lines: reply.body.trim().split(/\r?\n/) };
  };
  const pages = (await call('GET', '/positions?company=Northwick&limit=1000')).body;
  expect(pages.total).toBeGreaterThan(400);
  const ndjson = await text('&format=ndjson');
  expect(ndjson.type).toBe('application/x-ndjson; charset=utf-8');
  expect(ndjson.lines.map((line) => JSON.parse(line))).toEqual(pages.positions);
  const csv = await text('&limit=3', { accept: 'text/csv' });
  expect(csv.type).toBe('text/csv; charset=utf-8');
  expect(csv.lines[0]).toMatch(/^title,company,.*,id,active,first_seen_at,last_seen_at,closed_at,close_reason$/);
  expect(csv.lines.join('\n')).toContain(pages.positions[2].id);
  expect(csv.lines.join('\n')).not.toContain(pages.positions[3].id);
  expect((await text('&format=csv&active=false')).lines).toHaveLength(1);
  const rest = await text(
    `&format=ndjson&cursor=${(await call('GET', '/positions?company=Northwick&limit=7')).body.next_cursor}`,
  );
  expect(rest.lines).toHaveLength(pages.total - 7);
  expect((await call('GET', '/positions?limit=1001')).body.errors).toEqual([
    { pointer: '/limit', detail: 'has to be at most 1000. Use next_cursor for the next page' },
  ]);
  expect((await call('GET', '/positions?format=xml')).body.errors[0].pointer).toBe('/format');
});

test('an address leads to how it can be scraped', async () => {
  const { body, status } = await call('POST', '/companies/detect', { url: 'https://boards.greenhouse.io/aldermoor' });
  expect(status).toBe(200);
  expect(body.findings[0]).toMatchObject({ scraping_config: { scraper_type: 'greenhouse', board: 'aldermoor' } });
  expect(body.findings[0].confidence).toBeGreaterThan(0.9);
});

test('wrong questions are told apart from unknown names', async () => {
  expect((await call('GET', '/positions?new_since=yesterday')).body).toMatchObject({
    status: 422,
    errors: [{ pointer: '/new_since' }],
  });
  expect((await call('GET', '/positions?company=nobody')).status).toBe(404);
  expect((await call('GET', '/sessions?company=nobody')).status).toBe(404);
  expect((await call('GET', '/positions/x')).status).toBe(404);
  expect((await call('GET', '/positions?q=%00&location=%00')).status).toBe(200);
  expect((await call('GET', '/companies/%00')).status).toBe(404);
});

test('a schedule is made, planned, paused, changed, run by hand and deleted', async () => {
  const made = await call('POST', '/schedules', {
    site_name: 'greenhouse',
    cron: '30 6 * * 1-5',
    timezone: 'Europe/Berlin',
    payload: { board: 'acme-12' },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(made.body).toMatchObject({
    enabled: true,
    task: 'search',
    cron: '30 6 * * 1-5',
    timezone: 'Europe/Berlin',
    interval_minutes: null,
  });
  expect(Date.parse(made.body.next_run_at)).toBeGreaterThan(Date.now());
  const path = `/schedules/${made.body.id}`;
  expect((await call('PATCH', path, { enabled: false })).body).toMatchObject({ enabled: false, next_run_at: null });
  const hourly = (await call('PATCH', path, { enabled: true, interval_minutes: 60 })).body;
  expect(hourly).toMatchObject({ interval_minutes: 60, cron: null, payload: { board: 'acme-12' } });
  const run = await call('POST', `${path}/run`);
  expect(run.status).toBe(202);
  expect(run.body.data).toMatchObject({ run_id: expect.stringMatching(/^manual_/), status: 'queued' });
  expect((await call('GET', path)).body).toMatchObject({
    last_run_id: run.body.data.run_id,
    fires: [{ state: 'started', reason: 'run by hand' }],
  });
  expect((await call('DELETE', path)).body).toEqual({ id: made.body.id, deleted: true });
  expect((await call('GET', path)).status).toBe(404);
});

test('schedules that make no sense are refused, field by field', async () => {
  const pointersOf = async (body: object) =>
    (await call('POST', '/schedules', body)).body.errors.map((error: { pointer: string }) => error.pointer);
  const payload = { board: 'x' };
  expect(await pointersOf({ site_name: 'greenhouse', payload })).toEqual(['/interval_minutes']);
  expect(await pointersOf({ interval_minutes: 5 })).toEqual(['/site_name']);
  expect(await pointersOf({ site_name: 'nowhere', interval_minutes: 5 })).toEqual(['/site_name']);
  expect(await pointersOf({ site_name: 'greenhouse', interval_minutes: 5, cron: '0 7 * * *', payload })).toEqual([
    '/cron',
  ]);
  expect(await pointersOf({ site_name: 'greenhouse', cron: 'daily', payload })).toEqual(['/cron']);
  expect(await pointersOf({ site_name: 'greenhouse', cron: '0 7 * * *', timezone: 'Mars/North', payload })).toEqual([
    '/timezone',
  ]);
  expect(await pointersOf({ site_name: 'greenhouse', interval_minutes: 5, payload: {} })).toEqual(['/payload/board']);
  expect(
    await pointersOf({ site_name: 'greenhouse', interval_minutes: 5, timezone: 'Europe/Berlin', payload }),
  ).toEqual(['/timezone']);
  // What would be passed over in silence, or be refused at every fire, is refused now.
  expect(await pointersOf({ site_name: 'greenhouse', interval_minutes: 5, payload: { ...payload, baord: 1 } })).toEqual(
    ['/payload/baord'],
  );
  const search = { site_name: 'indeed', interval_minutes: 5, payload: { search_term: 'x' } };
  expect(await pointersOf({ ...search, max_pause_seconds: 600 })).toEqual(['/max_pause_seconds']);
  expect(await pointersOf({ ...search, min_pause_seconds: 9, max_pause_seconds: 2 })).toEqual(['/min_pause_seconds']);
  const own = { task: 'companies.scrape', interval_minutes: 5 };
  expect(await pointersOf({ ...own, payload: { incremental: 'yes', webhook_url: 5, board: 'x' } })).toEqual([
    '/payload/webhook_url',
    '/payload/incremental',
    '/payload/board',
  ]);
  expect(await pointersOf({ ...own, task: 'cleanup', payload: { incremental: true } })).toEqual([
    '/payload/incremental',
  ]);
  const { body } = await call('POST', '/schedules', { ...search, site_name: 'greenhoose' });
  expect(body.errors).toEqual([
    { pointer: '/site_name', detail: expect.stringMatching(/"greenhoose"\. Known sites: indeed, /) },
  ]);
});

test('a schedule that is asked for twice with one key is made once', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { task: 'companies.scrape', interval_minutes: 600, enabled: false };
  const replies = await Promise.all(Array.from({ length: 5 }, () => call('POST', '/schedules', body, headers)));
  expect(replies.map((one) => one.status)).toEqual(Array(5).fill(201));
  expect(new Set(replies.map((one) => one.body.id)).size).toBe(1);
  expect(replies.filter((one) => one.headers['idempotent-replay'] === 'true')).toHaveLength(4);
  const { id } = replies[0]!.body;
  expect((await call('POST', '/schedules', { ...body, interval_minutes: 60 }, headers)).status).toBe(409);
  expect((await call('POST', '/schedules', body, { 'idempotency-key': randomUUID() })).body.id).not.toBe(id);
  const { schedules } = (await call('GET', '/schedules?task=companies.scrape')).body;
  for (const one of schedules)
    if (one.interval_minutes === 600) expect((await call('DELETE', `/schedules/${one.id}`)).status).toBe(200);
  expect((await call('POST', '/schedules', body, headers)).status).toBe(404);
});

test('the built-in schedules are listed, can be edited, and run by hand', async () => {
  const { schedules } = (await call('GET', '/schedules')).body;
  expect(schedules.map((one: { id: string }) => one.id)).toEqual([
    'daily-companies',
    'stale-positions',
    'weekly-cleanup',
  ]);
  expect((await call('PATCH', '/schedules/daily-companies', { cron: '15 5 * * *' })).body).toMatchObject({
    task: 'companies.scrape',
    cron: '15 5 * * *',
    next_run_at: expect.stringMatching(/T05:15:00/),
  });
  expect((await call('POST', '/schedules/stale-positions/run')).body.data).toEqual({
    run_id: null,
    status: 'done',
    message: '0 stale positions closed',
  });
  expect((await call('POST', '/schedules/weekly-cleanup/run')).body.data).toMatchObject({
    run_id: null,
    status: 'done',
  });
  const all = (await call('POST', '/schedules/daily-companies/run')).body.data;
  await world.settled(all.run_id);
  await world.sql(`update windrow.schedules set next_run_at = now() where id = 'daily-companies'`);
  const looked = (await call('POST', '/scheduler/run')).body;
  expect(looked).toMatchObject({
    status: 'success',
    data: { enqueued: [expect.stringMatching(/^sched_/)], skipped: [] },
  });
  await world.settled(looked.data.enqueued[0]);
  const status = (await call('GET', '/scheduler/status')).body.data;
  expect(status.schedules[0]).toMatchObject({ id: 'daily-companies', started: 2, failed: 0 });
});

test('secrets of a company are never shown, and a mask that comes back keeps them', async () => {
  const secret = 'hunter2-s3cr3t';
  const settings = {
    scraper_type: 'api',
    url: `https://jobs.masked.example/v1?api_key=${secret}`,
    headers: { 'X-Tenant': secret },
    fields: { id: 'id', title: 'title' },
  };
  const made = await call('POST', '/companies', { name: 'Masked', scraping_config: settings });
  expect(made.status).toBe(201);
  const stored = async () => (await world.store.getCompany('Masked'))!.scrapingConfig;
  expect(await stored()).toMatchObject(settings);
  const shown = (await call('GET', '/companies/Masked')).body;
  expect(shown.scraping_config.headers).toEqual({ 'X-Tenant': '[redacted]' });
  // As it was shown, with one change.
  const changed = await call('PATCH', '/companies/Masked', {
    scraping_config: { ...shown.scraping_config, items: 'jobs' },
  });
  expect(changed.status).toBe(200);
  expect(await stored()).toMatchObject({ ...settings, items: 'jobs' });
  const { name, website, active, scraping_config } = changed.body;
  const imported = await call('POST', '/companies/import', [{ name, website, active, scraping_config }]);
  expect(imported.body).toMatchObject({ unchanged: 1, refused: 0 });
  expect(await stored()).toMatchObject(settings);
  // For another host a secret has to be given again.
  const elsewhere = { ...scraping_config, url: 'https://elsewhere.example/' };
  const refused = await call('PATCH', '/companies/Masked', { scraping_config: elsewhere });
  expect(refused.body).toMatchObject({ status: 422, errors: [{ pointer: '/scraping_config/headers/X-Tenant' }] });
  expect((await call('POST', '/companies/import', [{ name, scraping_config: elsewhere }])).body.refused).toBe(1);

  const run = (await call('POST', '/companies/Masked/scrape', {})).body.data.run_id;
  await world.settled(run);
  const pages = [
    '/companies',
    '/companies/Masked',
    `/sessions?run_id=${run}`,
    `/runs?limit=100`,
    `/jobs/scrape/${run}`,
  ];
  const letters = await call('GET', '/dead-letters?source=api');
  expect(letters.body.dead_letters).toHaveLength(1);
  for (const text of [
    made,
    changed,
    imported,
    refused,
    letters,
    ...(await Promise.all(pages.map((url) => call('GET', url)))),
  ])
    expect(JSON.stringify(text.body)).not.toContain(secret);
  await call('DELETE', '/companies/Masked');
});

test('the list shows positions, the last session and the health of each company', async () => {
  await call('POST', '/companies', {
    name: 'Listed',
    scraping_config: { scraper_type: 'greenhouse', board: 'listed-12' },
  });
  const listed = async () => (await call('GET', '/companies?q=listed')).body.companies[0];
  expect(await listed()).toMatchObject({ positions: 0, last_session: null, health: 'unknown' });
  const run = (await call('POST', '/companies/Listed/scrape', {})).body.data.run_id;
  await world.settled(run);
  const open = (await call('GET', '/positions?company=Listed&active=true&limit=1')).body.total;
  expect(open).toBeGreaterThan(3);
  expect(await listed()).toMatchObject({
    positions: open,
    last_session: { status: 'completed', jobs_found: open, error: null },
    health: 'ok',
  });
  const broken = { scraper_type: 'greenhouse', board: 'gone-listed' };
  expect((await call('PATCH', '/companies/Listed', { scraping_config: broken })).body.positions).toBe(open);
  await world.settled((await call('POST', '/companies/Listed/scrape', {})).body.data.run_id);
  expect(await listed()).toMatchObject({
    positions: open,
    last_session: { status: 'failed', error: expect.stringMatching(/\S/) },
    health: 'degraded',
  });
  await call('DELETE', '/companies/Listed');
});

test('a scrape and a schedule can be for some companies only', async () => {
  for (const name of ['Some One', 'Some Two', 'Some Three'])
    await call('POST', '/companies', {
      name,
      scraping_config: {
        scraper_type: name === 'Some Three' ? 'lever' : 'greenhouse',
        ...(name === 'Some Three' ? { site: 'some-3' } : { board: `some-${name.length}` }),
      },
    });
  const scraped = async (body: object) => {
    const { data } = (await call('POST', '/companies/scrape', body)).body;
    await world.settled(data.run_id);
    const { sessions } = (await call('GET', `/sessions?run_id=${data.run_id}`)).body;
    return sessions.map((session: { company: string }) => session.company).sort();
  };
  expect(await scraped({ q: 'some ' })).toEqual(['Some One', 'Some Three', 'Some Two']);
  expect(await scraped({ q: 'some ', scraper_type: 'lever' })).toEqual(['Some Three']);
  expect(await scraped({ companies: ['some one'] })).toEqual(['Some One']);
  expect((await call('POST', '/companies/scrape', { companies: ['Nobody'] })).status).toBe(409);
  expect((await call('POST', '/companies/scrape', { sourcetype: 'lever' })).status).toBe(422);
  const wrong = await call('POST', '/schedules', {
    task: 'companies.scrape',
    interval_minutes: 60,
    payload: { companies: 'Some One', typo: 1 },
  });
  expect(wrong.body.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual([
    '/payload/companies',
    '/payload/typo',
  ]);
  const { body: schedule } = await call('POST', '/schedules', {
    task: 'companies.scrape',
    interval_minutes: 60,
    payload: { companies: ['Some Two'], incremental: true },
  });
  const { data } = (await call('POST', `/schedules/${schedule.id}/run`)).body;
  await world.settled(data.run_id);
  expect((await call('GET', `/sessions?run_id=${data.run_id}`)).body.sessions).toMatchObject([
    { company: 'Some Two', incremental: true },
  ]);
  await call('DELETE', `/schedules/${schedule.id}`);
  for (const name of ['Some One', 'Some Two', 'Some Three'])
    await call('DELETE', `/companies/${encodeURIComponent(name)}`);
});
