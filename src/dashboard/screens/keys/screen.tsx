// API keys: who has which, when it was used last, and taking it away. A key itself is shown once, when it is made.
import { useSignal } from '@preact/signals';
import type { Schemas } from '../../../client/routes.generated.ts';
import { queryParam, setQuery, withQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { useList } from '../../live/use-list.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { List } from '../../parts/list-screen.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, shorten } from '../../parts/text/words.ts';

type Key = Schemas['Key'];

const SCOPES = [
  ['read', 'read: look at everything'],
  ['submit', 'submit: also start, cancel and retry work'],
  ['admin', 'admin: also keys, webhooks and sources'],
] as const;

export function Screen() {
  const keys = useList(
    'GET /keys',
    { query: { limit: 200 } },
    {
      listOf: (reply) => reply.keys,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ id }: Key) => id,
    },
  );
  const made = useSignal<string | null>(null);
  const columns: readonly Column<Key>[] = [
    {
      key: 'name',
      title: 'Key',
      isWide: true,
      cell: ({ name, prefix }) => (
        <span class="cut">
          {shorten(name, 80)} <code class="quiet">{prefix}…</code>
        </span>
      ),
    },
    { key: 'owner', title: 'Owner', cell: ({ owner }) => owner },
    { key: 'scope', title: 'May', cell: ({ scope }) => scope },
    { key: 'status', title: 'State', cell: ({ status }) => <Status status={status} /> },
    {
      key: 'used',
      title: 'Last used',
      isNumber: true,
      cell: ({ last_used_at }) => <Time at={last_used_at} none="never" />,
    },
    {
      key: 'expires',
      title: 'Expires',
      isNumber: true,
      cell: ({ expires_at }) => <Time at={expires_at} none="never" />,
    },
    {
      key: 'limit',
      title: 'A minute',
      isNumber: true,
      isExtra: true,
      cell: ({ requests_per_minute }) => (requests_per_minute === null ? 'as all' : count(requests_per_minute)),
    },
    {
      key: 'created',
      title: 'Made',
      isNumber: true,
      isExtra: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    {
      key: 'actions',
      title: '',
      cell: (key) =>
        key.status === 'active' && (
          <span class="line">
            <Confirm
              label="Rotate"
              icon="retry"
              title={`Rotate ${key.name}?`}
              isDanger={false}
              onConfirm={async () => {
                const reply = await call('POST /keys/{key_id}/rotate', { path: { key_id: key.id }, body: {} });
                made.value = reply.key;
                keys.reload();
              }}
            >
              <p>
                A new key takes its place. The old one works a while longer, so that nobody stands in front of a closed
                door.
              </p>
            </Confirm>
            <Confirm
              label="Revoke"
              icon="cross"
              title={`Revoke ${key.name}?`}
              done="Revoked: within seconds no server takes it."
              onConfirm={async () => {
                await call('DELETE /keys/{key_id}', { path: { key_id: key.id } });
                keys.reload();
              }}
            >
              <p>Whoever uses it is refused within seconds. This cannot be undone.</p>
            </Confirm>
          </span>
        ),
    },
  ];
  return (
    <>
      <div class="page-head">
        <h1>API keys</h1>
        <span class="grow" />
        <a class="button primary" href={withQuery({ new: '1' })}>
          <Icon name="plus" /> New key
        </a>
      </div>
      <List
        label="API keys"
        list={keys}
        columns={columns}
        empty={
          <Empty icon="key" title="No keys yet" commands={['npx windrow keys create me --scope admin']}>
            Once there is a key, every request needs one. This server listens on this machine only until then.
          </Empty>
        }
      />
      {queryParam('new') !== null && made.value === null && (
        <NewKey
          isFirst={keys.rows.length === 0}
          onMade={(key) => {
            made.value = key;
            keys.reload();
          }}
        />
      )}
      {made.value !== null && (
        <Dialog
          title="The new key"
          onClose={() => {
            made.value = null;
            setQuery({ new: null });
          }}
        >
          <p>It is shown now and never again; only its hash is stored.</p>
          <Copyable text={made.value} label="Copy the key" />
        </Dialog>
      )}
    </>
  );
}

/** The first key has to be one that can make others. */
function NewKey({ isFirst, onMade }: { isFirst: boolean; onMade(key: string): void }) {
  const name = useSignal('');
  const owner = useSignal('');
  const scope = useSignal<Key['scope']>(isFirst ? 'admin' : 'submit');
  const days = useSignal('');
  const problem = useSignal<Problem | null>(null);
  async function create(): Promise<void> {
    problem.value = null;
    try {
      const expires =
        days.value === '' ? {} : { expires_at: new Date(Date.now() + Number(days.value) * 86_400_000).toISOString() };
      const { key } = await call('POST /keys', {
        body: {
          name: name.value.trim(),
          scope: scope.value,
          ...(owner.value.trim() ? { owner: owner.value.trim() } : {}),
          ...expires,
        },
      });
      onMade(key);
    } catch (error) {
      problem.value = asProblem(error);
    }
  }
  const text = (signal: typeof name) => ({
    type: 'text' as const,
    value: signal.value,
    onInput: (event: { currentTarget: HTMLInputElement }) => {
      signal.value = event.currentTarget.value;
    },
  });
  return (
    <Dialog
      title="New key"
      onClose={() => setQuery({ new: null })}
      actions={
        <button type="submit" form="key-form" class="button primary">
          Create
        </button>
      }
    >
      <form
        id="key-form"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        {problem.value && <ProblemNote problem={problem.value} />}
        <Field label="Name" id="key-name" isRequired hint="Who or what uses it.">
          <input id="key-name" required {...text(name)} />
        </Field>
        <Field label="Owner" id="key-owner" hint="Owners share the workers evenly. Default: the name.">
          <input id="key-owner" {...text(owner)} />
        </Field>
        <Field label="It may" id="key-scope">
          <select
            id="key-scope"
            value={scope.value}
            onChange={(event) => {
              scope.value = event.currentTarget.value as Key['scope'];
            }}
          >
            {SCOPES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Expires" id="key-days">
          <select
            id="key-days"
            value={days.value}
            onChange={(event) => {
              days.value = event.currentTarget.value;
            }}
          >
            <option value="">never</option>
            <option value="30">in 30 days</option>
            <option value="90">in 90 days</option>
            <option value="365">in a year</option>
          </select>
        </Field>
      </form>
    </Dialog>
  );
}
