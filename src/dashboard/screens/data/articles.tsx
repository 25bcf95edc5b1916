// Articles: title and text of pages.
import type { Schemas } from '../../../client/routes.generated.ts';
import { Facts } from '../../parts/facts.tsx';
import { ChoiceFilter, TextFilter } from '../../parts/form/filters.tsx';
import { WebLink } from '../../parts/text/link.tsx';
import { Marked } from '../../parts/text/marked.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, shorten } from '../../parts/text/words.ts';
import { BucketChart } from './charts.tsx';
import type { DataKind } from './kind.ts';
import { Origins } from './origins.tsx';

type Row = Schemas['Article'];

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : '–');
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

function Detail({ row }: { row: Row & { provenance?: unknown } }) {
  return (
    <>
      <Facts
        facts={[
          [
            'Page',
            <WebLink key="page" href={row.url}>
              {shorten(row.url, 80)}
            </WebLink>,
          ],
          ['Author', row.author],
          ['Published', row.published_at && <Time at={row.published_at} />],
          ['Language', row.language],
          ['Source', row.source],
          ['Category', row.category],
          ['Scraped', <Time key="scraped" at={row.scraped_at} />],
          ['Length', `${count(wordsIn(row.content))} words`],
        ]}
      />
      <Origins provenance={row.provenance as never} />
      <p class="long-text">{row.content}</p>
    </>
  );
}

/** Of articles the analytics know how their pages were read. */
function Charts() {
  return (
    <div class="charts">
      <BucketChart
        title="Articles read a day"
        route="GET /analytics/sources"
        query={{ source: 'article', bucket: 'day' }}
        lines={[{ field: 'items', label: 'Articles', tone: 'active' }]}
        isBars
      />
      <BucketChart
        title="Seconds for a page"
        route="GET /analytics/sources"
        query={{ source: 'article', bucket: 'day' }}
        lines={[
          { field: 'latency_p50', label: 'Median', tone: 'accent' },
          { field: 'latency_p99', label: 'Slowest 1 %', tone: 'warn' },
        ]}
        format={(value) => `${value.toFixed(1)} s`}
      />
    </div>
  );
}

function Filters() {
  return (
    <>
      <TextFilter param="author" label="Author" type="text" />
      <ChoiceFilter
        param="scraped_after"
        label="Scraped"
        none="Any time"
        options={[1, 7, 30].map((days) => [daysAgo(days), days === 1 ? 'Last day' : `Last ${days} days`] as const)}
      />
    </>
  );
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

export const ARTICLES: DataKind<Row> = {
  id: 'articles',
  title: 'Articles',
  icon: 'article',
  list: 'GET /articles',
  facets: 'GET /articles/facets',
  rowsOf: (reply) => (reply as { articles: Row[] }).articles,
  keyOf: ({ article_id }) => article_id,
  facetNames: ['host', 'language', 'source', 'category'],
  filterNames: ['author', 'scraped_after'],
  Filters,
  sorts: [
    ['-scraped_at', 'Newest first'],
    ['-published_at', 'Published last'],
  ],
  placeholder: 'climate "heat pump"',
  titleOf: ({ title, url }) => title ?? url,
  columns: [
    {
      key: 'title',
      title: 'Title',
      isWide: true,
      cell: ({ title, url, highlights }) => (
        <span class="cut">{highlights?.title ? <Marked text={highlights.title} /> : shorten(title ?? url, 160)}</span>
      ),
    },
    { key: 'host', title: 'Site', cell: ({ url }) => hostOf(url) },
    { key: 'author', title: 'Author', cell: ({ author }) => (author ? shorten(author, 32) : null) },
    { key: 'language', title: 'Language', isExtra: true, cell: ({ language }) => language ?? null },
    { key: 'category', title: 'Category', isExtra: true, cell: ({ category }) => category ?? null },
    { key: 'published', title: 'Published', isNumber: true, cell: ({ published_at }) => <Time at={published_at} /> },
    { key: 'scraped', title: 'Scraped', isNumber: true, cell: ({ scraped_at }) => <Time at={scraped_at} /> },
  ],
  Detail,
  Charts,
  empty: {
    text: 'Any URL can be read as an article. Paste some under New run, or from a terminal:',
    commands: ['npx windrow submit https://example.com/story'],
  },
};
