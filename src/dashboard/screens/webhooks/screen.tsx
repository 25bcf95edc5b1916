// Webhooks: who is told of events, whether that works, and every delivery, which can be sent again.
import { useSignal } from '@preact/signals';
import type { Schemas } from '../../../client/routes.generated.ts';
import { queryParam, setQuery, withQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { useAnswer } from '../../live/answers.ts';
import { useList } from '../../live/use-list.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Drawer, OPEN_PARAM, openHref } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { List } from '../../parts/list-screen.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, shorten } from '../../parts/text/words.ts';
import { attempt, toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';

type Webhook = Schemas['Webhook'];
type Event = Schemas['CreateWebhookRequest']['events'][number];

const EVENTS: readonly (readonly [event: Event, label: string])[] = [
  ['*', 'Everything, also what later versions add'],
  ['run.completed', 'A run has ended with results'],
  ['run.failed', 'A run has ended without results'],
  ['run.cancelled', 'A run was cancelled'],
  ['postings.new', 'New postings were found'],
  ['alert.matched', 'An alert has matched'],
  ['source.degraded', 'A source fails too often'],
  ['source.recovered', 'A source works again'],
  ['quality.suspect', 'Results look wrong'],
];

function StateOf({ webhook }: { webhook: Webhook }) {
  if (!webhook.enabled) return <Status status="paused" label="off" />;
  if (webhook.rests_until) return <Status status="degraded" label="resting" />;
  if (webhook.failures_in_a_row > 0)
    return <Status status="degraded" label={`${webhook.failures_in_a_row} failed in a row`} />;
  return (
    <Status
      status={webhook.last_success_at ? 'ok' : 'unknown'}
      label={webhook.last_success_at ? 'works' : 'nothing sent yet'}
    />
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  {
    key: 'url',
    title: 'Receiver',
    isWide: true,
    cell: ({ url, description }) => <span class="cut">{description ?? url}</span>,
  },
  { key: 'events', title: 'Events', cell: ({ events }) => shorten(events.join(', '), 60) },
  { key: 'state', title: 'State', cell: (webhook) => <StateOf webhook={webhook} /> },
  { key: 'last', title: 'Last success', isNumber: true, cell: ({ last_success_at }) => <Time at={last_success_at} /> },
  { key: 'created', title: 'Added', isNumber: true, isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

export function Screen() {
  const webhooks = useList('GET /webhooks', {}, { listOf: (reply) => reply.webhooks, keyOf: ({ id }: Webhook) => id });
  const open = queryParam(OPEN_PARAM);
  return (
    <>
      <div class="page-head">
        <h1>Webhooks</h1>
        <span class="grow" />
        {may('submit') && (
          <a class="button primary" href={withQuery({ new: '1', [OPEN_PARAM]: null })}>
            <Icon name="plus" /> New webhook
          </a>
        )}
      </div>
      <List
        label="Webhooks"
        list={webhooks}
        columns={COLUMNS}
        hrefOf={({ id }) => openHref(id)}
        openKey={open}
        empty={
          <Empty
            icon="external"
            title="No webhooks yet"
            commands={[
              `curl ${location.origin}/webhooks -H 'content-type: application/json' \\\n  -d '{"url":"https://example.com/hook","events":["run.completed"]}'`,
            ]}
          >
            A webhook is told of events: signed by Standard Webhooks, repeated for three days, each delivery visible
            here.
          </Empty>
        }
      />
      {open !== null && <WebhookDrawer key={open} id={open} onChange={webhooks.reload} />}
      {queryParam('new') !== null && <NewWebhook onSaved={webhooks.reload} />}
    </>
  );
}

function WebhookDrawer({ id, onChange }: { id: string; onChange(): void }) {
  const path = { webhook_id: id };
  const answer = useAnswer('GET /webhooks/{webhook_id}', { path }, { every: 10 });
  const webhook = answer.data;
  if (!webhook)
    return (
      <Drawer title="Webhook">
        {answer.problem ? <ProblemNote problem={answer.problem} onRetry={answer.reload} /> : <Skeleton />}
      </Drawer>
    );
  const changed = () => {
    answer.reload();
    onChange();
  };
  const switchOn = async () => {
    if (await attempt(() => call('PATCH /webhooks/{webhook_id}', { path, body: { enabled: !webhook.enabled } })))
      changed();
  };
  const test = async () => {
    if (await attempt(() => call('POST /webhooks/{webhook_id}/test', { path }), 'A test event is on its way.'))
      changed();
  };
  return (
    <Drawer
      title={webhook.description ?? webhook.url}
      actions={
        may('submit') && (
          <>
            <button type="button" class="button" onClick={() => void test()}>
              <Icon name="right" /> Send a test
            </button>
            <button type="button" class="button" onClick={() => void switchOn()}>
              <Icon name={webhook.enabled ? 'pause' : 'play'} /> {webhook.enabled ? 'Switch off' : 'Switch on'}
            </button>
            <Confirm
              label="Delete"
              icon="cross"
              title="Delete this webhook?"
              done="Deleted."
              onConfirm={async () => {
                await call('DELETE /webhooks/{webhook_id}', { path });
                setQuery({ [OPEN_PARAM]: null });
                onChange();
              }}
            >
              <p>Deliveries that wait are not sent any more.</p>
            </Confirm>
          </>
        )
      }
    >
      <Facts
        facts={[
          ['Receiver', <code key="url">{webhook.url}</code>],
          ['Events', webhook.events.join(', ')],
          ['State', <StateOf key="state" webhook={webhook} />],
          ['Why it is off', webhook.disabled_reason],
          ['Rests until', webhook.rests_until && <Time at={webhook.rests_until} />],
          ['Last success', <Time key="last" at={webhook.last_success_at} />],
        ]}
      />
      <Deliveries webhookId={id} />
    </Drawer>
  );
}

const DELIVERY: Record<string, string> = {
  waiting: 'waiting',
  delivered: 'delivered',
  dead: 'given_up',
  expired: 'expired',
};

function Deliveries({ webhookId }: { webhookId: string }) {
  const path = { webhook_id: webhookId };
  const answer = useAnswer('GET /webhooks/{webhook_id}/deliveries', { path, query: { limit: 50 } }, { every: 5 });
  if (!answer.data) return <Skeleton />;
  const again = async (deliveryId: string) => {
    const sent = await attempt(
      () =>
        call('POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', {
          path: { ...path, delivery_id: deliveryId },
        }),
      'It is sent again.',
    );
    if (sent) answer.reload();
  };
  return (
    <section>
      <h3>Deliveries</h3>
      {answer.data.deliveries.length === 0 && <p class="quiet">Nothing was sent yet.</p>}
      <ul class="plain-list">
        {answer.data.deliveries.map(
          ({ id, type, state, attempts, last_status, last_error, created_at, next_attempt_at, payload }) => (
            <li key={id}>
              <p class="line">
                <Status status={DELIVERY[state] ?? state} label={state === 'dead' ? 'given up' : state} />
                <b>{type}</b>
                <span class="quiet">
                  <Time at={created_at} /> · {count(attempts)} {attempts === 1 ? 'attempt' : 'attempts'}
                  {last_status !== null && ` · HTTP ${last_status}`}
                </span>
                <span class="grow" />
                {may('submit') && (
                  <button type="button" class="button small" onClick={() => void again(id)}>
                    Send again
                  </button>
                )}
              </p>
              {last_error && <p class="small text-bad">{shorten(last_error, 300)}</p>}
              {next_attempt_at && state === 'waiting' && (
                <p class="small quiet">
                  Next attempt <Time at={next_attempt_at} />
                </p>
              )}
              <details>
                <summary class="small quiet">What is sent</summary>
                <pre class="long-text">{JSON.stringify(payload, null, 2)}</pre>
              </details>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

function NewWebhook({ onSaved }: { onSaved(): void }) {
  const url = useSignal('');
  const events = useSignal<ReadonlySet<Event>>(new Set<Event>(['run.completed', 'run.failed']));
  const problem = useSignal<Problem | null>(null);
  const secret = useSignal<string | null>(null);
  const close = () => setQuery({ new: null });
  async function save(): Promise<void> {
    problem.value = null;
    try {
      const made = await call('POST /webhooks', { body: { url: url.value.trim(), events: [...events.value] } });
      secret.value = made.secret;
      onSaved();
      toast('The webhook is on.');
    } catch (error) {
      problem.value = asProblem(error);
    }
  }
  const toggle = (event: Event) => {
    const next = new Set(events.value);
    if (!next.delete(event)) next.add(event);
    events.value = next;
  };
  if (secret.value !== null)
    return (
      <Dialog title="Its secret" onClose={close}>
        <p>The receiver checks signatures with it. It is shown now and never again:</p>
        <Copyable text={secret.value} label="Copy the secret" />
      </Dialog>
    );
  return (
    <Dialog
      title="New webhook"
      onClose={close}
      actions={
        <button type="button" class="button primary" disabled={events.value.size === 0} onClick={() => void save()}>
          Create
        </button>
      }
    >
      <div class="stack">
        {problem.value && <ProblemNote problem={problem.value} />}
        <Field label="URL of the receiver" id="webhook-url" isRequired>
          <input
            id="webhook-url"
            type="text"
            inputMode="url"
            placeholder="https://example.com/hook"
            value={url.value}
            onInput={(event) => {
              url.value = event.currentTarget.value;
            }}
          />
        </Field>
        <fieldset class="plain-list choices">
          <legend>Tell it when</legend>
          {EVENTS.map(([event, label]) => (
            <label key={event} class="line">
              <input type="checkbox" checked={events.value.has(event)} onChange={() => toggle(event)} />
              {label} <code class="quiet">{event}</code>
            </label>
          ))}
        </fieldset>
      </div>
    </Dialog>
  );
}
