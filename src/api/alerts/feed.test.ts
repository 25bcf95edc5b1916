import { parseAtomFeed, parseRssFeed } from 'feedsmith';
import { parseDocument } from 'htmlparser2';
import { expect, test } from 'vitest';
import type { Notice } from '../../model/posting/notice.ts';
import { alertFeed, type FeedFormat } from './feed.ts';

const notice = (more: Partial<Notice>): Notice => ({
  job_hash: 'a'.repeat(64),
  source: 'indeed',
  title: 'Cook',
  company: null,
  location: null,
  remote_type: null,
  salary_min: null,
  salary_max: null,
  currency: null,
  salary_interval: null,
  job_url: 'https://example.com/jobs/1',
  posted_date: null,
  first_seen_at: '2026-11-15T00:00:00.000Z',
  group_id: null,
  ...more,
});
const AT = new Date('2026-11-15T08:00:00Z');
const feed = (format: FeedFormat, name: string, ...notices: Notice[]): string =>
  alertFeed({
    format,
    id: 'alr_1',
    name,
    url: 'http://127.0.0.1:8000/alerts/alr_1/feed?token=x&format=rss',
    updatedAt: AT,
    matches: notices.map((one, at) => ({ seq: String(at), announcedAt: AT, notice: one })),
  });

const HOSTILE = `]]></title><script>alert("1")</script> & <b>&amp; \u0000\u0001\ud800\uffff`;

test('an entry says what there is, and where', () => {
  const paid = notice({
    company: 'Acme & Sons',
    location: 'Paris',
    remote_type: 'hybrid',
    salary_min: 50_000,
    salary_max: 60_000,
    currency: 'EUR',
    salary_interval: 'year',
    job_url: 'https://example.com/jobs?a=1&b=2',
  });
  const { entries, ...head } = parseAtomFeed(feed('atom', 'Cooks', paid, notice({ job_hash: 'b'.repeat(64) })));
  expect(head).toMatchObject({
    title: { value: 'Cooks' },
    id: 'urn:windrow:alert:alr_1',
    authors: [{ name: 'Windrow' }],
  });
  expect(entries).toHaveLength(2);
  expect(entries![0]).toMatchObject({
    id: `urn:windrow:posting:${'a'.repeat(64)}`,
    title: { value: 'Cook – Acme & Sons', type: 'text' },
    summary: { value: 'Paris · hybrid · EUR 50,000–60,000 a year · indeed' },
    published: AT.toISOString(),
    links: [{ href: 'https://example.com/jobs?a=1&b=2', rel: 'alternate' }],
  });
  const { items } = parseRssFeed(feed('rss', 'Cooks', paid));
  expect(items![0]).toMatchObject({ link: 'https://example.com/jobs?a=1&b=2', pubDate: AT.toUTCString() });
});

test.each(['atom', 'rss'] as const)('%s: what pages say stays text, whatever they say', (format) => {
  const text = feed(
    format,
    HOSTILE,
    notice({ title: HOSTILE, company: HOSTILE, location: HOSTILE, job_url: 'javascript:alert(1)' }),
  );
  const tags = new Set<string>();
  const walk = (nodes: ReturnType<typeof parseDocument>['children']): void => {
    for (const node of nodes) {
      if ('name' in node) tags.add(node.name);
      if ('children' in node) walk(node.children);
    }
  };
  walk(parseDocument(text, { xmlMode: true }).children);
  expect(tags).not.toContain('script');
  expect(tags).not.toContain('b');
  expect(text).not.toContain('javascript:');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
  expect(text).not.toMatch(/[\u0000-\u0008\uffff]/);
  expect(text.isWellFormed()).toBe(true);
  if (format === 'rss') {
    // Readers take it for HTML.
    expect(parseRssFeed(text).items![0]!.title).toMatch(/^\]\]&gt;&lt;\/title&gt;&lt;script&gt;/);
  } else
    expect(parseAtomFeed(text).entries![0]!.title!.value).toContain('</title><script>alert("1")</script> & <b>&amp;');
});

test('a feed of nothing is one too', () => {
  expect(parseAtomFeed(feed('atom', 'Nothing yet')).title!.value).toBe('Nothing yet');
  expect(parseRssFeed(feed('rss', 'Nothing yet')).title).toBe('Nothing yet');
});
