// What a crawl has found: how far it is and what it left out, and its pages. Of a map the addresses.
import { useAnswer } from '../../live/answers.ts';
import { usePages } from '../../live/pages.ts';
import { WebLink } from '../../parts/text/link.tsx';
import { count, plural, shorten } from '../../parts/text/words.ts';
import { ResultList } from './result-list.tsx';
import type { RunDetail } from './screen.tsx';

const everyOf = ({ status }: RunDetail): number => (status === 'running' ? 3 : 0);

export function CrawlResults({ run }: { run: RunDetail }) {
  const path = { run_id: run.run_id };
  const crawl = useAnswer('GET /crawl/{run_id}', { path }, { every: everyOf(run) });
  const pages = usePages(
    'GET /crawl/{run_id}/pages',
    { path, query: { limit: 50, format: 'text' } },
    {
      every: everyOf(run),
      listOf: (reply) => reply.pages,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ url }) => url,
    },
  );
  return (
    <>
      {crawl.data && <Counts {...crawl.data} />}
      <ResultList results={pages} isRunning={run.status === 'running'}>
        {pages.rows.map(({ url, title, article, outcome, error, depth, found_on }) => (
          <li class="card" key={url}>
            {error ? <p class="text-bad">{error}</p> : <h2>{article?.title ?? title ?? 'Without a title'}</h2>}
            <p class="small quiet">
              <WebLink href={url} />
              {` · ${outcome?.replaceAll('_', ' ') ?? 'failed'} · depth ${depth}`}
              {found_on && (
                <>
                  {' · found on '}
                  <WebLink href={found_on} />
                </>
              )}
            </p>
            {article?.content && <p class="card-text">{shorten(article.content, 400)}</p>}
          </li>
        ))}
      </ResultList>
    </>
  );
}

interface CountsProps {
  pages: { found: number; waiting: number; queued: number };
  outcomes: Record<string, number>;
  left_out: Record<string, number>;
  depth: number;
}

function Counts({ pages, outcomes, left_out, depth }: CountsProps) {
  const facts: [name: string, value: string][] = [
    ['Pages found', count(pages.found)],
    ['Waiting', count(pages.waiting + pages.queued)],
    ['Depth', count(depth)],
    ['Read', listed(outcomes)],
    ['Left out', listed(left_out)],
  ];
  return (
    <dl class="fact-line">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const listed = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, number]) => `${count(number)} ${name.replaceAll('_', ' ')}`)
    .join(', ') || 'nothing';

export function MapResults({ run }: { run: RunDetail }) {
  const urls = usePages(
    'GET /map/{run_id}',
    { path: { run_id: run.run_id }, query: { limit: 500 } },
    {
      every: everyOf(run),
      listOf: (reply) => reply.urls,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ url }) => url,
    },
  );
  return (
    <ResultList results={urls} isRunning={run.status === 'running'}>
      <li class="card">
        <p class="quiet">{plural(urls.rows.length, 'URL')}</p>
        {urls.rows.map(({ url, found_in }) => (
          <p class="small" key={url}>
            <WebLink href={url} /> <span class="quiet">{found_in}</span>
          </p>
        ))}
      </li>
    </ResultList>
  );
}
