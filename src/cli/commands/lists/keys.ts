// `windrow keys …`: API keys, through a server or directly in the database. Directly, because the first key has to come from somewhere.
import { type Command, InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import {
  type KeyView as ApiKeyView,
  type MadeKey as ApiMadeKey,
  type RotatedKey as ApiRotatedKey,
  GRACE_SECONDS,
  keyView,
} from '../../../api/keys/schemas.ts';
import type { Config } from '../../../config.ts';
import { AppError } from '../../../model/errors.ts';
import { DEFAULT_OWNER, newKey, SCOPES, type Scope } from '../../../model/key/key.ts';
import { connectionError } from '../../../model/server/connection-error.ts';
import { clientCommand } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { ownerName, wholeNumber } from '../../terminal/options.ts';
import { createTerminal, type Terminal, timeText } from '../../terminal/terminal.ts';
import { type ClientOptions, openClient } from './about-one.ts';
import { changeCommand } from './change.ts';
import { fieldRows, readCommand } from './read-command.ts';

type KeyView = z.infer<typeof ApiKeyView>;
type MadeKey = z.infer<typeof ApiMadeKey>;
type RotatedKey = z.infer<typeof ApiRotatedKey>;

type KeyOptions = ClientOptions & { direct?: boolean };

interface NewKeyRequest {
  name: string;
  owner: string;
  scope: Scope;
  expires_at: string | null;
  requests_per_minute: number | null;
  max_open_tasks: number | null;
  max_tasks_per_day: number | null;
}

/** The same over HTTP and in the database. */
interface Keys {
  create(request: NewKeyRequest): Promise<MadeKey>;
  list(owner: string | undefined): Promise<KeyView[]>;
  revoke(id: string): Promise<KeyView>;
  rotate(id: string, graceSeconds: number): Promise<RotatedKey>;
}

export const make = () =>
  noun({
    name: 'keys',
    about: 'API keys: create, list, change, revoke and rotate them.',
    verbs: [
      create(),
      list(),
      readCommand<KeyView>({
        name: 'show',
        about: 'Shows an API key: its owner, scope and limits, and when it was last used.',
        examples: [['windrow keys show key_a1b2c3d4e5f6', 'an id from `windrow keys list`']],
        path: '/keys/{id}',
        arguments: { id: 'key id' },
        show: (key, { terminal }) => terminal.table(fieldRows(key)),
      }),
      changeCommand({
        noun: 'keys',
        argument: ['id', 'key id'],
        fields: 'name, expires_at, requests_per_minute, max_open_tasks, max_tasks_per_day',
        examples: [['key_a1b2c3d4e5f6 --set requests_per_minute:=600', 'instead of API_RATE_LIMIT']],
      }),
      revoke(),
      rotate(),
    ],
  });

const keyCommand = (name: string, about: string, examples: [string, string][]): Command =>
  clientCommand({ name, about, examples }).option(
    '--direct',
    'work on the database in DATABASE_URL instead of through a server: needs no key',
  );

async function withKeys(options: KeyOptions, act: (keys: Keys, terminal: Terminal) => Promise<void>): Promise<void> {
  if (options.direct) return directly(options, act);
  const { client, terminal } = await openClient(options);
  const pathOf = (id: string): string => `/keys/${encodeURIComponent(id)}`;
  await act(
    {
      create: (request) => client.send('POST', '/keys', request),
      async list(owner) {
        const found: KeyView[] = [];
        for (let cursor: string | null = null; ; ) {
          const query = new URLSearchParams({
            limit: '1000',
            ...(owner ? { owner } : {}),
            ...(cursor ? { cursor } : {}),
          });
          const page: { keys: KeyView[]; next_cursor: string | null } = await client.get(`/keys?${query}`);
          found.push(...page.keys);
          cursor = page.next_cursor;
          if (cursor === null) return found;
        }
      },
      revoke: (id) => client.send('DELETE', pathOf(id)),
      rotate: (id, graceSeconds) => client.send('POST', `${pathOf(id)}/rotate`, { grace_seconds: graceSeconds }),
    },
    terminal,
  );
}

async function directly(options: KeyOptions, act: (keys: Keys, terminal: Terminal) => Promise<void>): Promise<void> {
  const terminal = createTerminal({ json: Boolean(options.json) });
  const config = loadConfig({
    flags: flagsFrom(options),
    file: options.config as string | undefined,
    needs: ['databaseUrl'],
    warn: (line) => terminal.say(`warning: ${line}`),
  });
  const { openStore } = await import('../../../store/store.ts');
  const at = { server: 'PostgreSQL', setting: 'DATABASE_URL', url: config.databaseUrl! } as const;
  const store = await openStore({ connection: config.databaseUrl!, max: 1, onError() {} }).catch((error: unknown) =>
    Promise.reject(connectionError(at, error)),
  );
  try {
    await act(storedKeys(store, config), terminal);
  } finally {
    await store.close();
  }
}

type StoredKeys = Awaited<ReturnType<typeof import('../../../store/store.ts').openStore>>;

const PAGE = 1_000;

function storedKeys(store: StoredKeys, config: Config): Keys {
  const unknown = (id: string): AppError => new AppError('unknown_id', `There is no key ${id.slice(0, 80)}.`);
  return {
    async create(request) {
      const { keys } = await store.listKeys({ owner: null, cursor: null, limit: PAGE });
      const isFirst = !config.apiKeys?.length && keys.every((key) => key.revokedAt !== null);
      if (isFirst && request.scope !== 'admin')
        throw new AppError(
          'invalid_params',
          'The first key has to have --scope admin: once there is a key, every request to the server needs one.',
        );
      const made = newKey();
      const key = await store.addKey(made, {
        name: request.name,
        owner: request.owner,
        scope: request.scope,
        expiresAt: request.expires_at === null ? null : new Date(request.expires_at),
        requestsPerMinute: request.requests_per_minute,
        maxOpenTasks: request.max_open_tasks,
        maxTasksPerDay: request.max_tasks_per_day,
      });
      if (!key) throw new AppError('invalid_params', 'There are too many keys. Revoke some that are not used.');
      return { ...keyView(key), key: made.key };
    },
    async list(owner) {
      const found: KeyView[] = [];
      for (let cursor: string | null = null; ; ) {
        const page = await store.listKeys({ owner: owner ?? null, cursor, limit: PAGE });
        found.push(...page.keys.map(keyView));
        cursor = page.nextCursor;
        if (cursor === null) return found;
      }
    },
    async revoke(id) {
      const key = await store.revokeKey(id);
      if (!key) throw unknown(id);
      return keyView(key);
    },
    async rotate(id, graceSeconds) {
      if (!(await store.getKey(id))) throw unknown(id);
      const made = newKey();
      const rotated = await store.rotateKey(id, { made, graceSeconds });
      if (!rotated) throw new AppError('key_inactive');
      return { ...keyView(rotated.made), key: made.key, replaced: keyView(rotated.old) };
    },
  };
}

const oneOf = (scope: string): Scope => {
  const found = SCOPES.find((one) => one === scope);
  if (!found) throw new InvalidArgumentError(`Use one of: ${SCOPES.join(', ')}.`);
  return found;
};

function create(): Command {
  return keyCommand('create', 'Creates an API key and shows it. The key is shown only once.', [
    ['DATABASE_URL=postgres://… windrow keys create operator --scope admin --direct', 'the first key'],
    ['windrow keys create "Nightly import" --owner data-team --scope submit', 'through the server'],
    ['windrow keys create grafana --scope read --expires-in 365', 'for a year'],
  ])
    .argument('<name>', 'what it is for')
    .requiredOption('--scope <scope>', 'read, submit (also read) or admin (everything, of all owners)', oneOf)
    .option('--owner <owner>', 'whose runs, schedules, webhooks and alerts it sees and makes', ownerName, DEFAULT_OWNER)
    .option('--expires-in <days>', 'days until it stops working (default: never)', wholeNumber(1, 36_500))
    .option('--requests-per-minute <number>', 'instead of API_RATE_LIMIT', wholeNumber(1, 1_000_000))
    .option('--max-open-tasks <number>', 'instead of OWNER_MAX_OPEN_TASKS', wholeNumber(1, 100_000_000))
    .option('--max-tasks-per-day <number>', 'instead of OWNER_MAX_TASKS_PER_DAY', wholeNumber(1, 1_000_000_000))
    .action(
      async (
        name: string,
        options: KeyOptions & {
          scope: Scope;
          owner: string;
          expiresIn?: number;
          requestsPerMinute?: number;
          maxOpenTasks?: number;
          maxTasksPerDay?: number;
        },
      ) =>
        withKeys(options, async (keys, terminal) => {
          const days = options.expiresIn;
          const made = await keys.create({
            name,
            owner: options.owner,
            scope: options.scope,
            expires_at: days === undefined ? null : new Date(Date.now() + days * 86_400_000).toISOString(),
            requests_per_minute: options.requestsPerMinute ?? null,
            max_open_tasks: options.maxOpenTasks ?? null,
            max_tasks_per_day: options.maxTasksPerDay ?? null,
          });
          showKey(terminal, options, made);
        }),
    );
}

function showKey(terminal: Terminal, options: KeyOptions, made: MadeKey): void {
  if (options.json) {
    terminal.document(made);
    return;
  }
  terminal.out(made.id);
  terminal.out(made.key);
  terminal.say('The second line is the key. Keep it: it is not shown again.');
}

function list(): Command {
  return keyCommand('list', 'Lists API keys, newest first.', [
    ['windrow keys list', 'with their owners, and when they were last used'],
    ['windrow keys list --owner data-team --json', 'of one owner, as JSON'],
  ])
    .option('--owner <owner>', 'only keys of this owner', ownerName)
    .action(async (options: KeyOptions & { owner?: string }) =>
      withKeys(options, async (keys, terminal) => {
        const found = await keys.list(options.owner);
        if (options.json) return terminal.document({ keys: found });
        if (found.length === 0)
          return terminal.say('No keys. Create one with: windrow keys create <name> --scope admin');
        const rows = found.map((key) => [
          key.id,
          `${key.prefix}…`,
          key.name,
          key.owner,
          key.scope,
          key.status,
          timeText(key.expires_at),
          timeText(key.last_used_at) || 'never',
        ]);
        const head = ['KEY', 'BEGINS', 'NAME', 'OWNER', 'SCOPE', 'STATUS', 'EXPIRES (UTC)', 'LAST USED (UTC)'];
        terminal.table([head, ...rows]);
      }),
    );
}

function revoke(): Command {
  return keyCommand('revoke', 'Revokes an API key. It stops working within seconds.', [
    ['windrow keys revoke key_a1b2c3d4e5f6', 'an id from `windrow keys list`'],
  ])
    .argument('<id>', 'key id')
    .action(async (id: string, options: KeyOptions) =>
      withKeys(options, async (keys, terminal) => {
        const key = await keys.revoke(id);
        if (options.json) terminal.document(key);
        else terminal.say(`Revoked ${key.id} (${key.name}, of ${key.owner}).`);
      }),
    );
}

function rotate(): Command {
  return keyCommand('rotate', 'Makes another key like it and shows it. The old one works for a while.', [
    ['windrow keys rotate key_a1b2c3d4e5f6', 'the old key works for one more day'],
    ['windrow keys rotate key_a1b2c3d4e5f6 --grace 0', 'the old key stops working within seconds'],
  ])
    .argument('<id>', 'key id')
    .option('--grace <seconds>', 'how long the old key works', wholeNumber(0, 30 * 86_400), GRACE_SECONDS)
    .action(async (id: string, options: KeyOptions & { grace: number }) =>
      withKeys(options, async (keys, terminal) => {
        const made = await keys.rotate(id, options.grace);
        showKey(terminal, options, made);
        if (!options.json) terminal.say(`The old key ${id} works until ${timeText(made.replaced.expires_at)} UTC.`);
      }),
    );
}
