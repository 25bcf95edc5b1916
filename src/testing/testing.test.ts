import { expect, test } from 'vitest';
import { AppError } from '../model/errors.ts';
import { defineSource, openListing, parseHtml, selectAll, textOf, toPosting, z } from '../sources/index.ts';
import { runSource, runUnderFaults } from './index.ts';

const LIST = 'https://jobs.acme.example/list';

/** Two pages and a detail that may fail: enough to see notes, warnings and settings. */
const acme = defineSource({
  name: 'acme-jobs',
  title: 'Acme',
  kind: 'posting',
  lane: 'http',
  hosts: ['jobs.acme.example'],
  pace: { concurrency: 1, delayMs: 60_000 },
  params: z.object({ pages: z.number().int().default(1) }),
  async *scrape({ pages }, web, notes) {
    const key = web.setting('key');
    if (key === null) web.warn('no key');
    for (let page = 1; page <= pages; page++) {
      const { text, url } = await web.get(
        `${LIST}?b=2&page=${page}`,
        key === null ? {} : { headers: { 'x-key': key } },
      );
      const rows = selectAll(parseHtml(text), 'li');
      if (rows.length === 0) throw new AppError('layout_changed', `no rows on ${url}`);
      for (const [index, row] of rows.entries()) {
        const title = textOf(row);
        if (title === '') notes?.skipped({ id: null, reason: 'a row without a title' });
        else
          yield toPosting({ source: 'acme-jobs', external_id: `${page}-${index}`, title, job_url: `${LIST}/${index}` });
      }
    }
  },
});

const pages = {
  [`${LIST}?page=1&b=2`]: '<ul><li>Welder</li><li></li></ul>',
  [`${LIST}?page=2&b=2`]: { text: '<ul><li>Rigger</li></ul>', headers: { 'x-a': 'b' } },
};

test('a source runs on saved pages without waiting for its pace, and everything it says is kept', async () => {
  const run = await runSource(acme, { pages: 2 }, { pages });
  expect(run).toMatchObject({
    error: null,
    warnings: ['no key'],
    skipped: [{ id: null, reason: 'a row without a title' }],
    attempts: 1,
  });
  expect(run.items.map(({ title }) => title)).toEqual(['Welder', 'Rigger']);
  expect(run.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${LIST}?b=2&page=1`,
    `GET ${LIST}?b=2&page=2`,
  ]);
});

test('an address that was not saved fails the test with the address, whatever the source makes of it', async () => {
  const forgiving = defineSource({
    ...acme,
    async *scrape(_params, web) {
      await web.get('https://elsewhere.example/x?a=1').catch(() => null);
    },
  });
  await expect(runSource(forgiving, {}, { pages })).rejects.toThrow(
    /acme-jobs asked for pages that are not saved:\n {2}GET https:\/\/elsewhere\.example\/x\?a=1\nSaved are:\n {2}https:\/\/jobs/,
  );
});

test('settings, posts, files, stars and functions', async () => {
  const posting = defineSource({
    ...acme,
    params: z.object({}),
    async *scrape(_params, web) {
      const reply = await web.json('https://api.acme.example/search', z.object({ asked: z.string() }), {
        method: 'POST',
        body: { q: web.setting('key') },
      });
      const { name } = await web.json('https://api.acme.example/files/1?x=y', z.object({ name: z.string() }));
      yield toPosting({ source: 'acme-jobs', external_id: '1', title: `${reply.asked} ${name}`, job_url: LIST });
    },
  });
  const run = await runSource(
    posting,
    {},
    {
      settings: { key: 'k1' },
      pages: {
        'POST https://api.acme.example/search': ({ body }) => ({ json: { asked: JSON.parse(body).q } }),
        'https://api.acme.example/files/*': new URL('../../package.json', import.meta.url),
        'https://api.acme.example/*': { status: 500 },
      },
    },
  );
  expect(run.error).toBeNull();
  expect(run.items[0]?.title).toBe('k1 windrow');
});

test('parameters that the source refuses and items that are not of its kind are errors', async () => {
  expect((await runSource(acme, { pages: 'two' }, { pages })).error).toMatchObject({ code: 'invalid_params' });
  const loose = defineSource({
    ...acme,
    async *scrape() {
      yield { title: 'only a title' } as never;
    },
  });
  const { error } = await runSource(loose, {}, { pages });
  expect(error).toMatchObject({ code: 'invalid_item', retryable: false });
  expect(error?.message).toContain('acme-jobs gave something that is no posting: ');
});

test('under the faults of the sandbox a source is honest, or is found out', async () => {
  const runs = await runUnderFaults(acme, { pages: 2 }, { pages, attempts: 3 });
  expect(runs.filter((run) => !run.isHonest).map((run) => run.fault)).toEqual([]);
  const byFault = new Map(runs.map((run) => [run.fault, run]));
  // What passes by itself passes with a further attempt, and what does not is told by its name.
  expect(byFault.get('500')).toMatchObject({ error: null, items: [{ title: 'Welder' }, { title: 'Rigger' }] });
  expect(byFault.get('404')?.error).toMatchObject({ code: 'not_found' });
  expect(byFault.get('login')?.error).not.toBeNull();

  const careless = defineSource({
    ...acme,
    async *scrape(_params, web) {
      const { text } = await web.get(`${LIST}?b=2&page=1`).catch(() => ({ text: '' }));
      for (const row of selectAll(parseHtml(text), 'li'))
        yield toPosting({ source: 'acme-jobs', external_id: '1', title: textOf(row) || 'x', job_url: LIST });
    },
  });
  const [found] = await runUnderFaults(careless, {}, { pages, faults: ['404'] });
  expect(found).toMatchObject({ fault: '404', isHonest: false, error: null, items: [] });
});

test('what career sources share is there for writers', async () => {
  const career = defineSource({
    ...acme,
    async *scrape(_params, web, notes) {
      const params = { description_format: 'markdown', include_raw: false } as const;
      const board = openListing({ source: 'acme-jobs', ref: 'acme', params, web, notes });
      const { jobs } = await web.json(LIST, z.object({ jobs: z.array(z.unknown()) }));
      yield* board.take(jobs, {
        row: z.object({ id: z.number(), title: z.string(), pay: z.string() }),
        idOf: (row) => String((row as { id?: number }).id ?? '') || null,
        toAdvert: (row, raw) => ({
          id: String(row.id),
          title: row.title,
          url: `${LIST}/${row.id}`,
          payText: row.pay,
          raw,
        }),
      });
      board.finish();
    },
  });
  const run = await runSource(
    career,
    {},
    { pages: { [LIST]: { json: { jobs: [{ id: 1, title: 'Welder', pay: '$30 an hour' }, { id: 2 }] } } } },
  );
  expect(run.items).toMatchObject([{ title: 'Welder', salary_min: 30, salary_interval: 'hour' }]);
  expect(run.skipped).toMatchObject([{ id: '2' }]);
});
