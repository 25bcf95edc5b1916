// Articles of a run, as they come.
import { useSignal } from '@preact/signals';
import type { Reply } from '../../api/call.ts';
import { usePages } from '../../live/pages.ts';
import { WebLink } from '../../parts/text/link.tsx';
import { Time } from '../../parts/text/time.tsx';
import { plural, shorten } from '../../parts/text/words.ts';
import { ResultList } from './result-list.tsx';
import type { RunDetail } from './screen.tsx';

type Article = Reply<'GET /jobs/{job_id}/results'>['results'][number];
type Failure = Reply<'GET /jobs/{job_id}/results'>['failed_articles'][number];

export function ArticleResults({ run }: { run: RunDetail }) {
  const results = usePages(
    'GET /jobs/{job_id}/results',
    { path: { job_id: run.run_id }, query: { limit: 50 } },
    {
      every: run.status === 'running' ? 3 : 0,
      listOf: ({ results, failed_articles }): (Article | Failure)[] => [...results, ...failed_articles],
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ url }) => url,
    },
  );
  return (
    <ResultList results={results} isRunning={run.status === 'running'}>
      {results.rows.map((row) =>
        'error' in row ? <FailureCard key={row.url} failure={row} /> : <ArticleCard key={row.url} article={row} />,
      )}
    </ResultList>
  );
}

function FailureCard({ failure }: { failure: Failure }) {
  return (
    <li class="card">
      <p class="text-bad">{failure.error}</p>
      <p class="small">
        <WebLink href={failure.url} /> <span class="quiet">{plural(failure.attempts, 'attempt')}</span>
      </p>
    </li>
  );
}

const SHOWN = 400;

function ArticleCard({ article }: { article: Article }) {
  const isOpen = useSignal(false);
  const content = article.content ?? '';
  return (
    <li class="card">
      <h2>{article.title ?? 'Without a title'}</h2>
      <p class="small quiet">
        <WebLink href={article.url} />
        {article.author && ` · ${shorten(article.author, 80)}`}
        {article.published_at && (
          <>
            {' · '}
            <Time at={article.published_at} />
          </>
        )}
        {article.cached && ' · reused'}
      </p>
      <p class="card-text">{isOpen.value ? content : shorten(content, SHOWN)}</p>
      {content.length > SHOWN && (
        <button
          type="button"
          class="button small plain"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? 'Less' : 'More'}
        </button>
      )}
    </li>
  );
}
