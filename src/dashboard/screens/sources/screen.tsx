// Sources: how well each does, what it waits for, and pausing it. The one that is open stands beside the list.

import type { Schemas } from '../../../client/routes.generated.ts';
import { queryParam } from '../../address/router.ts';
import { useList } from '../../live/use-list.ts';
import { OPEN_PARAM, openHref } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ChoiceFilter, TextFilter } from '../../parts/form/filters.tsx';
import { Icon } from '../../parts/icon.tsx';
import { List } from '../../parts/list-screen.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table.tsx';
import { count, duration, percent } from '../../parts/text/words.ts';
import { SourceDrawer } from './source.tsx';
import './sources.css';

export type Source = Schemas['Source'];

const KIND_LABELS = { article: 'Articles', posting: 'Postings', product: 'Products' };

/** The one word that matters most: a pause and an open breaker come before health. */
export function SourceStatus({ source }: { source: Pick<Source, 'paused' | 'breaker' | 'health' | 'workers'> }) {
  if (source.paused) return <Status status="paused" />;
  if (source.breaker.state === 'given_up') return <Status status="given_up" label="given up" />;
  if (source.breaker.state === 'open') return <Status status="open" label="breaker open" />;
  if (source.breaker.state === 'half_open') return <Status status="half_open" label="trying again" />;
  return (
    <Status
      status={source.health.state}
      label={source.health.state === 'unknown' ? 'not used yet' : source.health.state}
    />
  );
}

const COLUMNS: readonly Column<Source>[] = [
  {
    key: 'name',
    title: 'Source',
    isWide: true,
    cell: ({ title, name }) => (
      <span class="cut">
        {title} <span class="quiet">{name}</span>
      </span>
    ),
  },
  { key: 'kind', title: 'Brings', cell: ({ kind }) => KIND_LABELS[kind] },
  { key: 'status', title: 'Status', cell: (source) => <SourceStatus source={source} /> },
  {
    key: 'success',
    title: 'Success (24 h)',
    isNumber: true,
    cell: ({ last_day }) => <span class={toneOf(last_day.success_rate)}>{percent(last_day.success_rate)}</span>,
  },
  { key: 'attempts', title: 'Attempts (24 h)', isNumber: true, cell: ({ last_day }) => count(last_day.attempts) },
  {
    key: 'p50',
    title: 'Median',
    isNumber: true,
    cell: ({ last_day: { latency_seconds } }) => (latency_seconds.p50 === null ? null : duration(latency_seconds.p50)),
  },
  {
    key: 'p99',
    title: 'Slowest 1 %',
    isNumber: true,
    isExtra: true,
    cell: ({ last_day: { latency_seconds } }) => (latency_seconds.p99 === null ? null : duration(latency_seconds.p99)),
  },
  {
    key: 'blocks',
    title: 'Blocked (24 h)',
    isNumber: true,
    cell: ({ last_day: { blocks, captchas } }) => (
      <span class={blocks + captchas > 0 ? 'text-warn' : 'quiet'}>{count(blocks + captchas)}</span>
    ),
  },
  { key: 'waiting', title: 'Waiting', isNumber: true, cell: ({ waiting }) => count(waiting) },
  { key: 'active', title: 'At work', isNumber: true, cell: ({ active }) => count(active) },
  { key: 'items', title: 'Items (24 h)', isNumber: true, isExtra: true, cell: ({ last_day }) => count(last_day.items) },
  { key: 'lane', title: 'Lane', isExtra: true, cell: ({ lane }) => lane },
];

const toneOf = (rate: number | null): string =>
  rate === null ? 'quiet' : rate < 0.5 ? 'text-bad' : rate < 0.9 ? 'text-warn' : '';

const isTroubled = ({ paused, breaker, health }: Source): boolean =>
  paused !== null || breaker.state !== 'closed' || health.state === 'failing' || health.state === 'degraded';
const isUsed = ({ last_day, waiting, active }: Source): boolean => last_day.attempts + waiting + active > 0;

const SHOWN: Record<string, (source: Source) => boolean> = { trouble: isTroubled, used: isUsed };

/** Troubled ones first, then those that work most. */
const byNeed = (a: Source, b: Source): number =>
  Number(isTroubled(b)) - Number(isTroubled(a)) ||
  b.last_day.attempts - a.last_day.attempts ||
  a.name.localeCompare(b.name);

export function Screen() {
  const words = (queryParam('q') ?? '').toLowerCase();
  const kind = queryParam('kind');
  const isShown = SHOWN[queryParam('show') ?? ''] ?? (() => true);
  const sources = useList(
    'GET /sources',
    {},
    {
      every: 5,
      listOf: (reply) =>
        reply.sources
          .filter((one) => `${one.name} ${one.title}`.toLowerCase().includes(words))
          .filter((one) => (!kind || one.kind === kind) && isShown(one))
          .toSorted(byNeed),
      keyOf: ({ name }) => name,
    },
  );
  const open = queryParam(OPEN_PARAM);
  return (
    <>
      <div class="page-head">
        <h1>Sources</h1>
      </div>
      <search class="filters">
        <TextFilter param="q" label="Search sources" placeholder="indeed" isMain />
        <ChoiceFilter param="kind" label="Brings" options={Object.entries(KIND_LABELS)} />
        <ChoiceFilter
          param="show"
          label="Show"
          options={[
            ['trouble', 'In trouble'],
            ['used', 'Used in 24 h'],
          ]}
        />
      </search>
      {(sources.data?.problems ?? []).map(({ module, reason }) => (
        <div key={module} class="note" role="status">
          <Icon name="warning" />
          <p>
            <b>{module} could not be loaded.</b> {reason}
          </p>
        </div>
      ))}
      <List
        label="Sources"
        list={sources}
        columns={COLUMNS}
        hrefOf={({ name }) => openHref(name)}
        openKey={open}
        empty={
          <Empty icon="sources" title="No source matches">
            <a href="/ui/sources">Show all sources</a>
          </Empty>
        }
      />
      {open !== null && <SourceDrawer key={open} name={open} onChange={sources.reload} />}
    </>
  );
}
