// What selectors of the settings of a career page are counted for, besides the fields of its rows.
import { expect, test } from 'vitest';
import { addYields, type Yields } from '../../src/model/quality/yields.ts';
import { staticPages } from '../../src/sources/careers/static.ts';
import { keyOf } from '../../src/web/archive/read-archive.ts';
import { replayWeb } from '../../src/web/archive/replay.ts';

const URL_ = 'https://careers.example/';

async function yieldsOf(pages: Record<string, string>, settings: object): Promise<Yields> {
  const exchanges = new Map(
    Object.entries(pages).map(([path, text]) => {
      const url = new URL(path, URL_).href;
      const body = Buffer.from(text);
      return [keyOf('GET', url), { method: 'GET', url, status: 200, headers: {}, body, date: '' }];
    }),
  );
  const web = replayWeb({ exchanges }, new Map(), {
    signal: AbortSignal.timeout(60_000),
    setting: () => null,
    onMissing: (request) => expect.unreachable(request),
  });
  const yields: Yields = {};
  const notes = { skipped() {}, incomplete() {}, matched: (more: Yields) => addYields(yields, more) };
  const params = staticPages.params.parse({ url: URL_, ...settings });
  for await (const _ of staticPages.scrape(params, web, notes as never));
  return yields;
}

const stated = (id: number): string =>
  `<script type="application/ld+json">{"@type":"JobPosting","title":"Welder ${id}","url":"${URL_}jobs/${id}","description":"Welds pipes."}</script>`;

test('links to postings and to the next page, on pages that state postings', async () => {
  const pages = {
    '/': `<a class="job" href="/jobs/1">One</a><a class="more" href="/2">More</a>${stated(3)}`,
    '/2': `<a class="other" href="/jobs/2">Two</a>`,
    '/jobs/1': stated(1),
  };
  expect(await yieldsOf(pages, { links: 'a.job', next: 'a.more', details: true })).toEqual({
    // Of three links two are on the page that has one to a posting.
    'links: a.job': { rows: 3, found: 2 },
    'next after 1 rows: a.more': { rows: 1, found: 1 },
  });
});

test('selectors of the pages of postings, once for each page', async () => {
  const row = (id: number): string => `<li><a href="/jobs/${id}">Welder ${id}</a></li>`;
  const pages = {
    '/': `<ul>${row(1)}${row(2)}</ul>`,
    '/jobs/1': '<p class="text">Pipes</p>',
    '/jobs/2': '<p>Pipes</p>',
  };
  expect(await yieldsOf(pages, { item: 'li', details: true, detail_fields: { description: '.text' } })).toEqual({
    'detail description: .text': { rows: 2, found: 1 },
  });
});
