// Dead letters: tasks that ran out of attempts, by source and cause first, because what is wrong once is usually wrong a hundred times.

import type { Schemas } from '../../../client/routes.generated.ts';
import { queryParam } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { useAnswer } from '../../live/answers.ts';
import { useList } from '../../live/use-list.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { OPEN_PARAM, openHref } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ChoiceFilter, queryOf } from '../../parts/form/filters.tsx';
import { List } from '../../parts/list-screen.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { Column } from '../../parts/table.tsx';
import { openTab, Tabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, plural, shorten } from '../../parts/text/words.ts';
import { toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import { DeadLetterDrawer } from './letter.tsx';
import './dead-letters.css';

type Letter = Schemas['DeadLetter'];
type Group = Schemas['ListDeadLetterGroupsReply']['groups'][number];

const VIEWS = [
  { id: 'groups', label: 'By cause' },
  { id: 'list', label: 'One by one' },
];

/** What a task is about, from whatever its source takes. */
export const aboutLetter = ({ params, task_id }: Pick<Letter, 'params' | 'task_id'>): string => {
  const said = ['url', 'item', 'search_term', 'company', 'board']
    .map((name) => params[name])
    .find((one) => typeof one === 'string');
  return typeof said === 'string' ? said : task_id;
};

const COLUMNS: readonly Column<Letter>[] = [
  {
    key: 'about',
    title: 'Task',
    isWide: true,
    cell: (letter) => <span class="cut">{shorten(aboutLetter(letter), 160)}</span>,
  },
  { key: 'source', title: 'Source', cell: ({ source }) => source },
  {
    key: 'error',
    title: 'Cause',
    cell: ({ error }) => <span class="text-bad">{shorten(error?.message ?? 'not recorded', 60)}</span>,
  },
  { key: 'attempts', title: 'Attempts', isNumber: true, cell: ({ attempts }) => count(attempts) },
  { key: 'died', title: 'Given up', isNumber: true, cell: ({ died_at }) => <Time at={died_at} /> },
  {
    key: 'run',
    title: 'Run',
    isExtra: true,
    cell: ({ run_id }) => <a href={`/ui/runs/${encodeURIComponent(run_id)}`}>{run_id}</a>,
  },
  { key: 'id', title: 'Id', isExtra: true, cell: ({ task_id }) => <code>{task_id}</code> },
];

export function Screen() {
  const filter = queryOf(['source', 'category', 'code', 'run_id']);
  const groups = useAnswer('GET /dead-letters/groups', { query: {} }, { every: 10 });
  const letters = useList(
    'GET /dead-letters',
    { query: { ...filter, limit: 50 } as never },
    {
      every: 10,
      listOf: (reply) => reply.dead_letters,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ task_id }: Letter) => task_id,
    },
  );
  const open = queryParam(OPEN_PARAM);
  const reload = () => {
    groups.reload();
    letters.reload();
  };
  const isFiltered = Object.keys(filter).length > 0;
  const view = isFiltered ? 'list' : openTab(VIEWS, 'view');
  const sources = [...new Set(groups.data?.groups.map(({ source }) => source))];
  const causes = [...new Set(groups.data?.groups.map(({ code }) => code))];
  const total = groups.data?.total ?? 0;
  return (
    <>
      <div class="page-head">
        <h1>Dead letters</h1>
        {total > 0 && <span class="quiet">{plural(total, 'task')} ran out of attempts</span>}
        <span class="grow" />
        {may('submit') && total > 0 && <Bulk filter={filter} onDone={reload} />}
      </div>
      {groups.data && total === 0 ? (
        <Empty icon="check" title="Nothing has failed for good">
          A task that runs out of attempts comes here, with the page that it saw. Then it can be tried again, with other
          input if need be.
        </Empty>
      ) : (
        <>
          <search class="filters">
            <ChoiceFilter param="source" label="Source" options={sources} />
            <ChoiceFilter param="code" label="Cause" options={causes} />
          </search>
          {!isFiltered && <Tabs tabs={VIEWS} label="View" param="view" />}
          {view === 'groups' ? (
            groups.data ? (
              <Groups groups={groups.data.groups} onDone={reload} />
            ) : (
              <Skeleton />
            )
          ) : (
            <List
              label="Dead letters"
              list={letters}
              columns={COLUMNS}
              hrefOf={({ task_id }) => openHref(task_id)}
              openKey={open}
              empty={
                <Empty icon="filter" title="No dead letter matches">
                  <a href="/ui/dead-letters">Show all of them</a>
                </Empty>
              }
            />
          )}
        </>
      )}
      {open !== null && <DeadLetterDrawer key={open} id={open} onChange={reload} />}
    </>
  );
}

function Groups({ groups, onDone }: { groups: readonly Group[]; onDone(): void }) {
  return (
    <ul class="letter-groups">
      {groups.map(({ source, category, code, count: size, first_died_at, last_died_at, sample }) => (
        <li key={`${source} ${category} ${code}`} class="panel">
          <div class="line">
            <h2>
              {source}: {code.replaceAll('_', ' ')}
            </h2>
            <b class="text-bad">{count(size)}</b>
            <span class="quiet">
              <Time at={first_died_at} /> to <Time at={last_died_at} />
            </span>
            <span class="grow" />
            <a
              class="button"
              href={`/ui/dead-letters?source=${encodeURIComponent(source)}&code=${encodeURIComponent(code)}`}
            >
              Look at them
            </a>
            {may('submit') && <Bulk filter={{ source, category, code }} onDone={onDone} />}
          </div>
          {sample && (
            <p>
              <span class="quiet">Such as </span>
              <a href={openHref(sample.task_id)}>{shorten(aboutLetter(sample), 120)}</a>
              <span class="quiet">: {shorten(sample.error?.message ?? 'no reason recorded', 200)}</span>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

const STEPS_MAX = 1_000;

/** All that match, after a look at how many they are. */
function Bulk({ filter, onDone }: { filter: Record<string, string>; onDone(): void }) {
  const isAll = Object.keys(filter).length === 0;
  const matching = isAll ? 'all dead letters' : 'all that match';
  const body = (isAll ? { all: true } : filter) as Schemas['RetryDeadLettersRequest'];
  const retry = async () => {
    let before: string | undefined;
    let retried = 0;
    for (let step = 0; step < STEPS_MAX; step++) {
      const reply = await call('POST /dead-letters/retry', {
        query: {},
        body: { ...body, ...(before ? { died_before: before } : {}) },
      });
      if (!('retried' in reply)) return;
      retried += reply.retried;
      before = reply.died_before;
      if (!reply.has_more) break;
    }
    toast(`Retrying ${plural(retried, 'task')}.`, { href: '/ui/runs', label: 'Runs' });
    onDone();
  };
  const remove = async () => {
    let removed = 0;
    for (let step = 0; step < STEPS_MAX; step++) {
      const reply = await call('DELETE /dead-letters', { query: (isAll ? { all: true } : filter) as never });
      if (!('removed' in reply)) return;
      removed += reply.removed;
      if (!reply.has_more) break;
    }
    toast(`Deleted ${plural(removed, 'dead letter')}.`);
    onDone();
  };
  return (
    <>
      <Confirm label="Retry" icon="retry" title={`Retry ${matching}?`} isDanger={false} onConfirm={retry}>
        <Matching body={body} then="will be tried again, as a run of its own." />
      </Confirm>
      <Confirm label="Delete" icon="cross" title={`Delete ${matching}?`} onConfirm={remove}>
        <Matching body={body} then="will be gone. The runs that failed with them stay as they are." />
      </Confirm>
    </>
  );
}

/** Counted when it is asked for. */
function Matching({ body, then }: { body: Schemas['RetryDeadLettersRequest']; then: string }) {
  const key = JSON.stringify(body);
  const found = useAnswer('POST /dead-letters/retry', { query: {}, body: { ...body, dry_run: true } }, { every: 0 });
  if (!found.data) return <p key={key}>Counting…</p>;
  const matching = 'matching' in found.data ? found.data.matching : 0;
  return (
    <p>
      {plural(matching, 'task')} {then}
    </p>
  );
}
