// Workers: who takes tasks, with how many places, and what waits for each lane.

import type { Schemas } from '../../../client/routes.generated.ts';
import { queryParam } from '../../address/router.ts';
import { useAnswer } from '../../live/answers.ts';
import { Bar } from '../../parts/chart/bar.tsx';
import { OPEN_PARAM, openHref } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/text/time.tsx';
import { bytes, count, duration, plural } from '../../parts/text/words.ts';
import { type Worker, WorkerDrawer, WorkerStatus } from './worker.tsx';
import './workers.css';

const keyOf = ({ worker }: Worker): string => worker;

const COLUMNS: readonly Column<Worker>[] = [
  { key: 'worker', title: 'Worker', isWide: true, cell: ({ worker }) => <code>{worker}</code> },
  {
    key: 'state',
    title: 'State',
    cell: (worker) => <WorkerStatus worker={worker} />,
  },
  { key: 'lanes', title: 'Lanes', cell: ({ lanes }) => lanes.join(', ') },
  {
    key: 'slots',
    title: 'Slots in use',
    cell: ({ busy, slots }) => (
      <span class="progress">
        <Bar label={`${busy} of ${slots} in use`} total={slots} parts={[{ value: busy, tone: 'active' }]} />
        <span class="progress-count">
          {count(busy)}/{count(slots)}
        </span>
      </span>
    ),
  },
  { key: 'memory', title: 'Memory', isNumber: true, cell: ({ rss_bytes }) => bytes(rss_bytes) },
  { key: 'host', title: 'Host', cell: ({ host, pid }) => `${host}, pid ${pid}` },
  { key: 'version', title: 'Version', isExtra: true, cell: ({ version }) => version },
  { key: 'started', title: 'Started', isNumber: true, cell: ({ started_at }) => <Time at={started_at} /> },
  { key: 'seen', title: 'Heard of', isNumber: true, cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
];

export function Screen() {
  const status = useAnswer('GET /jobs/queue/status', {}, { every: 3 });
  if (status.isFirst) return <Skeleton rows={8} label="Loading workers" />;
  const data = status.data?.data;
  const open = queryParam(OPEN_PARAM);
  return (
    <>
      <div class="page-head">
        <h1>Workers</h1>
      </div>
      {status.problem && <ProblemNote problem={status.problem} onRetry={status.reload} />}
      {data && (
        <div class="stack">
          <Lanes
            queues={data.queues}
            workers={data.workers}
            oldest={data.oldest_waiting_seconds}
            rate={data.throughput_per_minute}
          />
          {data.workers.length > 0 ? (
            <Table
              label="Workers"
              columns={COLUMNS}
              rows={data.workers}
              keyOf={keyOf}
              hrefOf={({ worker }) => openHref(worker)}
              openKey={open}
            />
          ) : (
            <Empty
              icon="worker"
              title={data.wire === 'down' ? 'Redis is away, so nobody knows the workers' : 'No worker is running'}
              commands={['npx windrow worker --lanes http,browser']}
            >
              Accepted work waits and is not lost. Start a worker:
            </Empty>
          )}
        </div>
      )}
      {open !== null && (
        <WorkerDrawer
          key={open}
          name={open}
          worker={data?.workers.find(({ worker }) => worker === open) ?? null}
          onChange={status.reload}
        />
      )}
    </>
  );
}

interface LanesProps {
  queues: Record<string, Schemas['QueueCounts']>;
  workers: readonly Worker[];
  oldest: number | null;
  rate: number;
}

/** Queues are named by lane and band: `http:high`. Empty ones are not shown. */
function Lanes({ queues, workers, oldest, rate }: LanesProps) {
  const taking = workers.filter(({ draining }) => !draining);
  const taken = new Set(taking.flatMap(({ lanes }) => lanes));
  return (
    <section class="panel" aria-label="Lanes">
      <dl class="fact-line">
        <div>
          <dt>Oldest waiting task</dt>
          <dd>{oldest === null ? '–' : duration(oldest)}</dd>
        </div>
        <div>
          <dt>Finished a minute</dt>
          <dd>{count(Math.round(rate))}</dd>
        </div>
        <div>
          <dt>Slots</dt>
          <dd>
            {count(taking.reduce((sum, { busy }) => sum + busy, 0))} of{' '}
            {count(taking.reduce((sum, { slots }) => sum + slots, 0))} in use
          </dd>
        </div>
      </dl>
      <ul class="lanes">
        {Object.entries(queues).map(([name, { waiting, active, delayed, paused, oldest_waiting_seconds }]) => {
          const lane = name.slice(0, name.lastIndexOf(':'));
          if (waiting + active + delayed + paused === 0) return null;
          const isLeft = waiting > 0 && !taken.has(lane);
          return (
            <li key={name}>
              <b>{name.replace(':', ', ')}</b>
              <span>{plural(waiting, 'task')} waiting</span>
              <span>{count(active)} at work</span>
              <span class="quiet">{count(delayed)} later</span>
              {paused > 0 && <span class="text-warn">{count(paused)} paused</span>}
              {oldest_waiting_seconds !== null && <span class="quiet">oldest {duration(oldest_waiting_seconds)}</span>}
              {isLeft && (
                <span class="text-bad">
                  <Icon name="warning" /> no worker takes this lane
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
