// API keys over HTTP, for operators. A key is in the reply that makes it, and in no log line, event or list.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { type ApiKey, newKey, OWNER, type Scope } from '../../model/key/key.ts';
import { within } from '../../observe/cached.ts';
import type { KeyStore } from '../../store/keys/key-store.ts';
import { KEYS_MAX } from '../../store/keys/keys.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { timeOf } from '../validation/times.ts';
import { invalid } from '../validation/validators.ts';
import {
  GRACE_SECONDS,
  KEY_BODY_EXAMPLE,
  KEY_EXAMPLE,
  KeyBody,
  KeyList,
  KeyPatch,
  KeyView,
  keyView,
  MADE_EXAMPLE,
  MadeKey,
  RotatedKey,
  RotateKeyBody,
} from './schemas.ts';

const TAG = 'Keys';
const LIST = 'keys';
const LIMIT_MS = 10_000;
const KeyParams = z.object({ key_id: z.string().max(80) });

type KeyDeps = Needs<KeyStore, 'needsKeys' | 'readKeysAgain' | 'log'>;

export const keys = (deps: KeyDeps): Route[] => [
  create(deps),
  list(deps),
  show(deps),
  change(deps),
  revoke(deps),
  rotate(deps),
];

const inTime = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The database');

const unknown = (id: string): AppError => new AppError('unknown_id', `There is no key ${id.slice(0, 80)}.`);

async function findKey({ store }: KeyDeps, id: string): Promise<ApiKey> {
  const key = /^key_[0-9a-f]{12}$/.test(id) ? await inTime(store.getKey(id)) : null;
  if (!key) throw unknown(id);
  return key;
}

function expiryOf(text: string | null | undefined): Date | null {
  if (text === null || text === undefined) return null;
  const at = timeOf('expires_at', text, 'body');
  if (at.getTime() <= Date.now()) throw invalid([{ pointer: '/expires_at', detail: 'has to be in the future' }]);
  return at;
}

/** With the first key requests begin to need one: it has to be one that can make others. */
function checkFirst({ needsKeys }: KeyDeps, scope: Scope): void {
  if (scope !== 'admin' && !needsKeys())
    throw invalid([
      { pointer: '/scope', detail: 'has to be admin for the first key: from then on every request needs a key' },
    ]);
}

function create(deps: KeyDeps): Route {
  return route({
    method: 'POST',
    path: '/keys',
    operationId: 'createKey',
    scope: 'admin',
    tag: TAG,
    summary: 'Create an API key',
    description:
      'Only this response shows the key. It works at once, in all API processes. Once there is a key, every request needs one.',
    body: KeyBody,
    bodyExample: KEY_BODY_EXAMPLE,
    replies: { 201: json('The key.', MadeKey, MADE_EXAMPLE) },
    async handle({ body, id }, reply) {
      checkFirst(deps, body.scope);
      const made = newKey();
      const key = await inTime(
        deps.store.addKey(made, {
          name: body.name,
          owner: body.owner,
          scope: body.scope,
          expiresAt: expiryOf(body.expires_at),
          requestsPerMinute: body.requests_per_minute ?? null,
          maxOpenTasks: body.max_open_tasks ?? null,
          maxTasksPerDay: body.max_tasks_per_day ?? null,
        }),
      );
      if (!key)
        throw invalid([
          { pointer: '/name', detail: `Too many keys: the limit is ${KEYS_MAX}. Revoke some that are not used` },
        ]);
      await inTime(deps.readKeysAgain());
      const { prefix, owner, scope } = key;
      deps.log.info('key.created', { key_id: key.id, prefix, owner, scope, request_id: id });
      reply.code(201).header('location', `/keys/${key.id}`).header('cache-control', 'no-store');
      return { ...keyView(key), key: made.key };
    },
  });
}

function list({ store }: KeyDeps): Route {
  return route({
    method: 'GET',
    path: '/keys',
    operationId: 'listKeys',
    scope: 'admin',
    tag: TAG,
    summary: 'List API keys, newest first',
    description:
      'Revoked and expired keys are listed for 90 days. The keys of API_KEYS are not in it. The last page has no `next_cursor`.',
    query: z.strictObject({
      owner: z.string().regex(OWNER).optional(),
      limit: z.int().min(1).max(1_000).default(100),
      cursor: z.string().max(200).optional(),
    }),
    replies: { 200: json('A page of keys.', KeyList, { keys: [KEY_EXAMPLE], next_cursor: null }) },
    problems: ['invalid_params'],
    async handle({ query }) {
      const cursor = decodeCursor(LIST, query.cursor, /^\d{1,18}$/);
      const page = await inTime(store.listKeys({ owner: query.owner ?? null, limit: query.limit, cursor }));
      return {
        keys: page.keys.map(keyView),
        next_cursor: page.nextCursor === null ? null : encodeCursor(LIST, page.nextCursor),
      };
    },
  });
}

function show(deps: KeyDeps): Route {
  return route({
    method: 'GET',
    path: '/keys/:key_id',
    operationId: 'getKey',
    scope: 'admin',
    tag: TAG,
    summary: 'Get an API key, without the key itself',
    params: KeyParams,
    replies: { 200: json('The key.', KeyView, KEY_EXAMPLE) },
    problems: ['unknown_id'],
    handle: async ({ params }) => keyView(await findKey(deps, params.key_id)),
  });
}

function change(deps: KeyDeps): Route {
  return route({
    method: 'PATCH',
    path: '/keys/:key_id',
    operationId: 'changeKey',
    scope: 'admin',
    tag: TAG,
    summary: 'Change the name, the expiry or the limits of an API key',
    description: 'Owner and scope cannot be changed: make another key. It takes effect within seconds.',
    params: KeyParams,
    body: KeyPatch,
    bodyExample: { max_open_tasks: 50_000 },
    replies: { 200: json('The key.', KeyView, { ...KEY_EXAMPLE, max_open_tasks: 50_000 }) },
    problems: ['unknown_id'],
    async handle({ params, body, id }) {
      const before = await findKey(deps, params.key_id);
      const or = <T>(given: T | undefined, otherwise: T): T => (given === undefined ? otherwise : given);
      const key = await inTime(
        deps.store.changeKey(before.id, {
          name: body.name ?? before.name,
          expiresAt: body.expires_at === undefined ? before.expiresAt : expiryOf(body.expires_at),
          requestsPerMinute: or(body.requests_per_minute, before.requestsPerMinute),
          maxOpenTasks: or(body.max_open_tasks, before.maxOpenTasks),
          maxTasksPerDay: or(body.max_tasks_per_day, before.maxTasksPerDay),
        }),
      );
      if (!key) throw unknown(params.key_id);
      deps.log.info('key.changed', { key_id: key.id, owner: key.owner, request_id: id });
      return keyView(key);
    },
  });
}

function revoke(deps: KeyDeps): Route {
  return route({
    method: 'DELETE',
    path: '/keys/:key_id',
    operationId: 'revokeKey',
    scope: 'admin',
    tag: TAG,
    summary: 'Revoke an API key',
    description: 'It stops working within seconds in all API processes. Runs that were made with it go on.',
    params: KeyParams,
    replies: {
      200: json('The key.', KeyView, {
        ...KEY_EXAMPLE,
        status: 'revoked',
        revoked_at: '2026-02-06T10:00:00.000Z',
      }),
    },
    problems: ['unknown_id'],
    async handle({ params, id }) {
      const { id: keyId } = await findKey(deps, params.key_id);
      const key = await inTime(deps.store.revokeKey(keyId));
      if (!key) throw unknown(params.key_id);
      await inTime(deps.readKeysAgain());
      deps.log.info('key.revoked', { key_id: key.id, owner: key.owner, request_id: id });
      return keyView(key);
    },
  });
}

function rotate(deps: KeyDeps): Route {
  return route({
    method: 'POST',
    path: '/keys/:key_id/rotate',
    operationId: 'rotateKey',
    scope: 'admin',
    tag: TAG,
    summary: 'Replace an API key (the old one works for a while)',
    description:
      'Makes another key with the same name, owner, scope and limits. Only this response shows it. `replaced` is the old key: it works until its `expires_at`, and its `last_used_at` says whether somebody still uses it.',
    params: KeyParams,
    body: RotateKeyBody,
    bodyExample: { grace_seconds: 3_600 },
    replies: {
      201: json('The new key, and the old one.', RotatedKey, {
        ...MADE_EXAMPLE,
        id: 'key_0f9e8d7c6b5a',
        replaces: KEY_EXAMPLE.id,
        replaced: { ...KEY_EXAMPLE, expires_at: '2026-02-05T11:00:00.000Z' },
      }),
    },
    problems: ['unknown_id', 'key_inactive'],
    async handle({ params, body, id }, reply) {
      const before = await findKey(deps, params.key_id);
      const made = newKey();
      const graceSeconds = body?.grace_seconds ?? GRACE_SECONDS;
      const rotated = await inTime(deps.store.rotateKey(before.id, { made, graceSeconds }));
      if (!rotated) throw new AppError('key_inactive');
      await inTime(deps.readKeysAgain());
      deps.log.info('key.rotated', {
        key_id: rotated.made.id,
        replaces: before.id,
        owner: before.owner,
        request_id: id,
      });
      reply.code(201).header('location', `/keys/${rotated.made.id}`).header('cache-control', 'no-store');
      return { ...keyView(rotated.made), key: made.key, replaced: keyView(rotated.old) };
    },
  });
}
