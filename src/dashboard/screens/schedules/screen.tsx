// Schedules: what fires when, what came of the last time, and the next 24 hours at a glance.

import type { Schemas } from '../../../client/routes.generated.ts';
import { queryParam, withQuery } from '../../address/router.ts';
import { useAnswer } from '../../live/answers.ts';
import { useList } from '../../live/use-list.ts';
import { OPEN_PARAM, openHref } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { List } from '../../parts/list-screen.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count } from '../../parts/text/words.ts';
import { may } from '../../shell/session.ts';
import { Calendar } from './calendar.tsx';
import { ScheduleDialog } from './dialog.tsx';
import { ScheduleDrawer } from './schedule.tsx';
import { timingWords } from './when.ts';
import './schedules.css';

export type Schedule = Schemas['Schedule'];

const TASKS = {
  search: 'Search',
  'companies.scrape': 'Scrape companies',
  'positions.stale': 'Close positions that were not seen any more',
  cleanup: 'Remove old runs',
} as const;

export const aboutSchedule = ({ task, site_name, payload }: Schedule): string =>
  task === 'search' ? [site_name, payload.search_term].filter(Boolean).join(': ') : TASKS[task];

export function Screen() {
  const schedules = useList(
    'GET /schedules',
    { query: { limit: 200 } },
    {
      every: 10,
      listOf: (reply) => reply.schedules,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ id }: Schedule) => id,
    },
  );
  const status = useAnswer('GET /scheduler/status', {}, { every: 10 });
  const tallies = new Map(status.data?.data.schedules.map((one) => [one.id, one]));
  const open = queryParam(OPEN_PARAM);
  const isNew = queryParam('new') !== null;
  const columns: readonly Column<Schedule>[] = [
    { key: 'about', title: 'Schedule', isWide: true, cell: (one) => <span class="cut">{aboutSchedule(one)}</span> },
    { key: 'when', title: 'When', cell: (one) => timingWords(one) },
    {
      key: 'state',
      title: 'State',
      cell: ({ enabled, waiting_for }) =>
        waiting_for ? (
          <Status status="waiting" label="last run goes on" />
        ) : (
          <Status status={enabled ? 'enabled' : 'paused'} label={enabled ? 'on' : 'off'} />
        ),
    },
    {
      key: 'next',
      title: 'Next',
      isNumber: true,
      cell: ({ next_run_at, enabled }) => <Time at={enabled ? next_run_at : null} />,
    },
    {
      key: 'last',
      title: 'Last',
      isNumber: true,
      cell: ({ last_run_at, last_run_id }) =>
        last_run_id ? (
          <a href={`/ui/runs/${encodeURIComponent(last_run_id)}`}>
            <Time at={last_run_at} />
          </a>
        ) : (
          <Time at={last_run_at} />
        ),
    },
    { key: 'started', title: 'Started', isNumber: true, cell: ({ id }) => count(tallies.get(id)?.started ?? 0) },
    {
      key: 'skipped',
      title: 'Skipped',
      isNumber: true,
      cell: ({ id }) => count(tallies.get(id)?.skipped ?? 0),
    },
    {
      key: 'failed',
      title: 'Failed',
      isNumber: true,
      cell: ({ id }) => (
        <span class={tallies.get(id)?.failed ? 'text-bad' : 'quiet'}>{count(tallies.get(id)?.failed ?? 0)}</span>
      ),
    },
    { key: 'id', title: 'Id', isExtra: true, cell: ({ id }) => <code>{id}</code> },
  ];
  return (
    <>
      <div class="page-head">
        <h1>Schedules</h1>
        <span class="grow" />
        {may('submit') && (
          <a class="button primary" href={withQuery({ new: '1', [OPEN_PARAM]: null })}>
            <Icon name="plus" /> New schedule
          </a>
        )}
      </div>
      {status.data?.data.instances.length === 0 && (
        <div class="note" role="status">
          <Icon name="warning" />
          <p>
            <b>Nothing fires: no orchestrator is running.</b> Start one with <code>npx windrow orchestrator</code>.
          </p>
        </div>
      )}
      <div class="stack">
        {schedules.rows.length > 0 && <Calendar schedules={schedules.rows} />}
        <List
          label="Schedules"
          list={schedules}
          columns={columns}
          hrefOf={({ id }) => openHref(id)}
          openKey={open}
          empty={
            <Empty
              icon="schedule"
              title="No schedules yet"
              commands={[
                `curl ${location.origin}/schedules -H 'content-type: application/json' \\\n  -d '{"site_name":"indeed","cron":"0 7 * * *","payload":{"search_term":"nurse"}}'`,
              ]}
            >
              A schedule starts the same run again and again, and skips a time whose last run has not ended.
            </Empty>
          }
        />
      </div>
      {open !== null && <ScheduleDrawer key={open} id={open} onChange={schedules.reload} />}
      {isNew && <ScheduleDialog schedule={null} onSaved={schedules.reload} />}
    </>
  );
}
