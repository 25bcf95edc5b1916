// A new run of every kind. What kind, and which run it begins from, is in the URL.
import { queryParam } from '../../address/router.ts';
import { useAnswer } from '../../live/answers.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { openTab, Tabs } from '../../parts/tabs.tsx';
import { ArticlesForm } from './articles-form.tsx';
import { CartForm } from './cart-form.tsx';
import { CompanyForm } from './company-form.tsx';
import { CrawlForm } from './crawl-form.tsx';
import { type Prefill, prefillOf } from './prefill.ts';
import { SearchForm } from './search-form.tsx';
import './new-run.css';

const KINDS = [
  { id: 'search', label: 'Search of job sites' },
  { id: 'articles', label: 'Articles' },
  { id: 'crawl', label: 'Crawl of a site' },
  { id: 'company', label: 'Company' },
  { id: 'cart', label: 'Cart' },
];
const KIND_OF: Record<string, string> = {
  posting: 'search',
  article: 'articles',
  company: 'company',
  cart: 'cart',
  crawl: 'crawl',
  map: 'crawl',
};
/** Entries that are taken over. */
const ENTRIES_MAX = 1_000;

export function Screen() {
  const from = queryParam('from');
  return (
    <>
      <div class="page-head">
        <h1>New run</h1>
      </div>
      {from === null ? <Forms kind={openTab(KINDS, 'kind')} prefill={null} isChoosable /> : <From id={from} />}
    </>
  );
}

function Forms({
  kind,
  prefill,
  isChoosable = false,
}: {
  kind: string;
  prefill: Prefill | null;
  isChoosable?: boolean;
}) {
  return (
    <>
      {isChoosable && <Tabs tabs={KINDS} label="Kind" param="kind" />}
      {kind === 'search' && <SearchForm prefill={prefill} />}
      {kind === 'articles' && <ArticlesForm prefill={prefill} />}
      {kind === 'crawl' && <CrawlForm prefill={prefill} />}
      {kind === 'company' && <CompanyForm />}
      {kind === 'cart' && <CartForm prefill={prefill} />}
    </>
  );
}

function From({ id }: { id: string }) {
  const path = { run_id: id };
  const run = useAnswer('GET /runs/{run_id}', { path }, { every: 0 });
  const tasks = useAnswer('GET /runs/{run_id}/tasks', { path, query: { limit: ENTRIES_MAX } }, { every: 0 });
  const problem = run.problem ?? tasks.problem;
  if (problem) return <ProblemNote problem={problem} onRetry={run.reload} />;
  if (!run.data || !tasks.data) return <Skeleton />;
  const isCut = run.data.total > ENTRIES_MAX;
  return (
    <>
      <p class="quiet from-run">
        As <a href={`/ui/runs/${encodeURIComponent(id)}`}>{run.data.about ?? id}</a> was asked for
        {isCut && `, with the first ${ENTRIES_MAX} of its ${run.data.total} entries`}.
      </p>
      <Forms kind={KIND_OF[run.data.kind]!} prefill={prefillOf(run.data, tasks.data.tasks)} />
    </>
  );
}
