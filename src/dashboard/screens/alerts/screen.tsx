// Alerts: saved searches that tell of new postings, each job once.

import type { Schemas } from '../../../client/routes.generated.ts';
import { queryParam, setQuery, withQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { useAnswer } from '../../live/answers.ts';
import { useList } from '../../live/use-list.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Drawer, OPEN_PARAM, openHref } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icon.tsx';
import { List } from '../../parts/list-screen.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table.tsx';
import { WebLink } from '../../parts/text/link.tsx';
import { Time } from '../../parts/text/time.tsx';
import { plural, shorten } from '../../parts/text/words.ts';
import { attempt } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import { AlertDialog } from './dialog.tsx';

export type Alert = Schemas['Alert'];

/** `python · remote · Berlin`. */
export const searchWords = (search: Record<string, unknown>): string =>
  Object.values(search)
    .filter((value) => value !== null && value !== '')
    .join(' · ') || 'every new posting';

const wayOf = ({ webhook_url, file }: Alert): string =>
  ['feed', webhook_url && 'webhook', file && 'file'].filter(Boolean).join(', ');

const COLUMNS: readonly Column<Alert>[] = [
  { key: 'name', title: 'Alert', isWide: true, cell: ({ name }) => <span class="cut">{name}</span> },
  { key: 'search', title: 'Looks for', cell: ({ search }) => shorten(searchWords(search), 60) },
  {
    key: 'state',
    title: 'State',
    cell: ({ active }) => <Status status={active ? 'active' : 'paused'} label={active ? 'on' : 'off'} />,
  },
  { key: 'way', title: 'Tells by', cell: wayOf },
  { key: 'last', title: 'Last match', isNumber: true, cell: ({ last_matched_at }) => <Time at={last_matched_at} /> },
];

export function Screen() {
  const alerts = useList(
    'GET /alerts',
    { query: { limit: 100 } },
    {
      listOf: (reply) => reply.alerts,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ id }: Alert) => id,
    },
  );
  const open = queryParam(OPEN_PARAM);
  return (
    <>
      <div class="page-head">
        <h1>Alerts</h1>
        <span class="grow" />
        {may('submit') && (
          <a class="button primary" href={withQuery({ new: '1', [OPEN_PARAM]: null })}>
            <Icon name="plus" /> New alert
          </a>
        )}
      </div>
      <List
        label="Alerts"
        list={alerts}
        columns={COLUMNS}
        hrefOf={({ id }) => openHref(id)}
        openKey={open}
        empty={
          <Empty
            icon="bell"
            title="No alerts yet"
            commands={['npx windrow alerts add "Python, remote" --q python --remote-type remote']}
          >
            An alert is a search that tells of new postings by feed, file or webhook, each job once.
          </Empty>
        }
      />
      {open !== null && <AlertDrawer key={open} id={open} onChange={alerts.reload} />}
      {queryParam('new') !== null && <AlertDialog onSaved={alerts.reload} />}
    </>
  );
}

function AlertDrawer({ id, onChange }: { id: string; onChange(): void }) {
  const path = { alert_id: id };
  const answer = useAnswer('GET /alerts/{alert_id}', { path }, { every: 10 });
  const alert = answer.data;
  if (!alert)
    return (
      <Drawer title="Alert">
        {answer.problem ? <ProblemNote problem={answer.problem} onRetry={answer.reload} /> : <Skeleton />}
      </Drawer>
    );
  const switchOn = async () => {
    if (!(await attempt(() => call('PATCH /alerts/{alert_id}', { path, body: { active: !alert.active } })))) return;
    answer.reload();
    onChange();
  };
  return (
    <Drawer
      title={alert.name}
      actions={
        may('submit') && (
          <>
            <button type="button" class="button" onClick={() => void switchOn()}>
              <Icon name={alert.active ? 'pause' : 'play'} /> {alert.active ? 'Switch off' : 'Switch on'}
            </button>
            <Confirm
              label="Delete"
              icon="cross"
              title={`Delete ${alert.name}?`}
              done="Deleted."
              onConfirm={async () => {
                await call('DELETE /alerts/{alert_id}', { path });
                setQuery({ [OPEN_PARAM]: null });
                onChange();
              }}
            >
              <p>Its feed ends. Postings stay.</p>
            </Confirm>
          </>
        )
      }
    >
      <Facts
        facts={[
          ['Looks for', searchWords(alert.search)],
          ['Matches', plural(alert.matches, 'posting')],
          ['Last match', <Time key="last" at={alert.last_matched_at} />],
          ['Webhook', alert.webhook_url],
          ['File', alert.file],
        ]}
      />
      {alert.feed_url && (
        <section>
          <h3>Feed for a reader</h3>
          <p class="quiet small">Whoever has this address can read it.</p>
          <Copyable text={new URL(alert.feed_url, location.href).href} label="Copy the address of the feed" />
        </section>
      )}
      <section>
        <h3>Last matches</h3>
        {alert.latest.length === 0 && <p class="quiet">Nothing has matched yet.</p>}
        <ul class="plain-list">
          {alert.latest.map(({ announced_at, posting }) => (
            <li key={posting.job_hash}>
              <WebLink href={posting.job_url}>{shorten(posting.title, 120)}</WebLink>
              <p class="small quiet">
                {[posting.company, posting.location, posting.source].filter(Boolean).join(' · ')} ·{' '}
                <Time at={announced_at} />
              </p>
            </li>
          ))}
        </ul>
      </section>
    </Drawer>
  );
}
