// The reference of the API, from the OpenAPI document of this server: found by words, read, and tried. Which operation is open is in the URL.
import { useMemo } from 'preact/hooks';
import { queryParam, setQuery, withQuery } from '../../address/router.ts';
import { useAnswer } from '../../live/answers.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type ApiDocument, matches, type Operation, operationsOf } from './document.ts';
import { OperationDetail } from './operation.tsx';
import './reference.css';

export function Screen() {
  const answer = useAnswer('GET /openapi.json', {}, { every: 0 });
  const document = answer.data as ApiDocument | null;
  const operations = useMemo(() => (document ? operationsOf(document) : []), [document]);
  if (answer.problem) return <ProblemNote problem={answer.problem} onRetry={answer.reload} />;
  if (!document) return <Skeleton rows={14} />;
  const text = queryParam('q') ?? '';
  const found = operations.filter((operation) => matches(operation, text));
  const open = operations.find(({ id }) => id === queryParam('op'));
  return (
    <div class="reference">
      <h1 class="for-readers">API reference</h1>
      <div class={open ? 'reference-list has-open' : 'reference-list'}>
        <search class="line">
          <input
            data-search
            type="search"
            aria-label="Find in the reference"
            placeholder="Find: cancel, /runs, dead letters…"
            value={text}
            onInput={(event) => setQuery({ q: event.currentTarget.value })}
          />
        </search>
        {found.length === 0 && (
          <Empty icon="search" title="Nothing is called that">
            <a href={withQuery({ q: null })}>Show all</a>
          </Empty>
        )}
        <OperationList operations={found} openId={open?.id ?? null} />
      </div>
      <div class={open ? 'reference-detail' : 'reference-detail none'}>
        {open ? (
          <>
            <a class="back" href={withQuery({ op: null })}>
              <Icon name="left" /> All operations
            </a>
            <OperationDetail key={open.id} operation={open} document={document} />
          </>
        ) : (
          <Introduction document={document} />
        )}
      </div>
    </div>
  );
}

function OperationList({ operations, openId }: { operations: readonly Operation[]; openId: string | null }) {
  const groups = [...Map.groupBy(operations, ({ tag }) => tag)];
  return (
    <nav aria-label="Operations">
      {groups.map(([tag, own]) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          <ul>
            {own.map(({ id, method, path, summary }) => (
              <li key={id}>
                <a class="row-link" href={withQuery({ op: id })} aria-current={id === openId ? 'page' : undefined}>
                  <span class={`method ${method.toLowerCase()}`}>{method}</span>
                  <span class="cut">
                    <code>{path}</code>
                    <span class="quiet small cut">{summary}</span>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Introduction({ document: { info } }: { document: ApiDocument }) {
  return (
    <section class="panel stack">
      <h2>
        {info.title} API <span class="quiet small">{info.version}</span>
      </h2>
      <p>{info.description}</p>
      <p>
        Choose an operation to read about it, and to try it on this server. The whole as one file for generators of
        clients:{' '}
        <a href="/openapi.json" download="windrow-openapi.json">
          openapi.json
        </a>
      </p>
    </section>
  );
}
