// Items of one kind: search and filters in the URL, facets with counts, columns to choose, a row opened beside the list, charts, export.

import { path, queryParam } from '../../address/router.ts';
import { addressOf } from '../../api/call.ts';
import { usePages } from '../../live/pages.ts';
import { useSteady } from '../../live/use-steady.ts';
import { Drawer, OPEN_PARAM, openHref } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ChoiceFilter, queryOf, TextFilter } from '../../parts/form/filters.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { openTab, Tabs } from '../../parts/tabs.tsx';
import { shorten } from '../../parts/text/words.ts';
import { ARTICLES } from './articles.tsx';
import { Facets } from './facets.tsx';
import type { DataKind, ListRoute } from './kind.ts';
import { POSTINGS } from './postings.tsx';
import { PRODUCTS } from './products.tsx';
import './data.css';

const KINDS = [POSTINGS, PRODUCTS, ARTICLES];
const VIEWS = [
  { id: 'list', label: 'List' },
  { id: 'charts', label: 'Charts' },
];
/** Alone in the URL they do not filter anything. */
const NOT_FILTERS = new Set(['sort']);

export function Screen() {
  const kind = (KINDS.find(({ id }) => id === path.value.split('/').at(-1)) ?? POSTINGS) as DataKind<unknown>;
  return <Items key={kind.id} kind={kind} />;
}

function Items({ kind }: { kind: DataKind<unknown> }) {
  const names = ['q', 'sort', ...kind.facetNames, ...kind.filterNames];
  const query = queryOf(names);
  const { sort: _, ...filters } = query;
  return (
    <>
      <div class="page-head">
        <h1>{kind.title}</h1>
        <nav class="switch" aria-label="Kind of item">
          {KINDS.map(({ id, title, icon }) => (
            <a key={id} href={`/ui/data/${id}`} aria-current={id === kind.id ? 'page' : undefined}>
              <Icon name={icon} /> {title}
            </a>
          ))}
        </nav>
        <span class="grow" />
        <ExportMenu list={kind.list} query={query} />
      </div>
      <search class="filters">
        <TextFilter param="q" label={`Search ${kind.title.toLowerCase()}`} placeholder={kind.placeholder} isMain />
        <kind.Filters />
        <ChoiceFilter
          param="sort"
          label="Order"
          none={query.q ? 'Best match' : kind.sorts[0]![1]}
          options={query.q ? kind.sorts : kind.sorts.slice(1)}
        />
      </search>
      <Tabs tabs={VIEWS} label="View" param="view" />
      {openTab(VIEWS, 'view') === 'charts' ? (
        <kind.Charts query={filters} />
      ) : (
        <div class="data-columns">
          <Facets kind={kind} query={filters} />
          <List kind={kind} query={query} />
        </div>
      )}
    </>
  );
}

/** With words to search for, what matches best is first unless somebody asked for another order. */
const orderOf = (query: Record<string, string>): Record<string, string> =>
  query.q && !query.sort ? { ...query, sort: 'relevance' } : query;

function List({ kind, query }: { kind: DataKind<unknown>; query: Record<string, string> }) {
  const asked = {
    query: { ...orderOf(query), ...(query.q ? { highlight: true } : {}), provenance: '1', limit: 50 },
  } as never;
  const items = usePages(kind.list, asked, {
    every: 30,
    listOf: kind.rowsOf,
    cursorOf: (reply) => reply.next_cursor,
    keyOf: kind.keyOf,
  });
  const { rows, newCount, showNew } = useSteady(items.rows, kind.keyOf, items.question);
  const openKey = queryParam(OPEN_PARAM);
  const open = openKey === null ? null : (items.rows.find((row) => kind.keyOf(row) === openKey) ?? null);
  if (items.isFirst) return <Skeleton rows={12} label={`Loading ${kind.title.toLowerCase()}`} />;
  const isFiltered = Object.keys(query).some((name) => !NOT_FILTERS.has(name));
  return (
    <div class="data-list">
      {items.problem && <ProblemNote problem={items.problem} onRetry={items.reload} />}
      {rows.length === 0 && !items.problem ? (
        <Nothing kind={kind} isFiltered={isFiltered} />
      ) : (
        <Table
          label={kind.title}
          columns={kind.columns}
          rows={rows}
          keyOf={kind.keyOf}
          hrefOf={(row) => openHref(kind.keyOf(row))}
          openKey={openKey}
          newCount={newCount}
          onShowNew={showNew}
          more={{ hasMore: items.hasMore, isReading: items.isReadingMore, onMore: items.readMore }}
        />
      )}
      {items.moreProblem && <ProblemNote problem={items.moreProblem} onRetry={items.readMore} />}
      {open !== null && (
        <Drawer title={shorten(kind.titleOf(open), 200)}>
          <kind.Detail row={open} />
        </Drawer>
      )}
    </div>
  );
}

function Nothing({ kind, isFiltered }: { kind: DataKind<unknown>; isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty icon="filter" title={`No ${kind.title.toLowerCase()} match`}>
        <a href={`/ui/data/${kind.id}`}>Remove all filters</a>
      </Empty>
    );
  return (
    <Empty icon={kind.icon} title={`No ${kind.title.toLowerCase()} yet`} commands={kind.empty.commands}>
      {kind.empty.text}
    </Empty>
  );
}

const FORMS = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
  ['parquet', 'Parquet'],
  ['ndjson', 'NDJSON'],
] as const;

function ExportMenu({ list, query }: { list: ListRoute; query: Record<string, string> }) {
  return (
    <Menu label="Export" icon="download">
      {FORMS.map(([format, label]) => (
        <a
          key={format}
          class="menu-line"
          href={addressOf(list, { query: { ...query, format } })}
          download={`${list.slice('GET /'.length)}.${format}`}
        >
          {label}
        </a>
      ))}
    </Menu>
  );
}
