// API keys: what they are and what they allow. Pure but for the random bytes of a new one.
// What a reader would get wrong: a scope includes the ones before it, so a key has exactly one.
import { hash, randomBytes } from 'node:crypto';

/** `read` sees, `submit` also makes and cancels work of its owner, `admin` also does what concerns all owners, and sees them all. */
export const SCOPES = ['read', 'submit', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export const covers = (has: Scope, needed: Scope): boolean => SCOPES.indexOf(has) >= SCOPES.indexOf(needed);

/** Also the end of the name of a line in the queue (model/task/line.ts): no spaces. */
export const OWNER = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** The owner of keys that were made without one. */
export const DEFAULT_OWNER = 'default';

/** Whether somebody who `sees` the work of one owner, or with null everybody's, may know of this. */
export const maySee = (sees: string | null, { owner }: { owner: string | null }): boolean =>
  sees === null || owner === sees;

export interface ApiKey {
  id: string;
  /** The beginning of the key, to recognise it by. */
  prefix: string;
  name: string;
  owner: string;
  scope: Scope;
  /** Null: as the settings say. */
  requestsPerMinute: number | null;
  maxOpenTasks: number | null;
  maxTasksPerDay: number | null;
  /** The id of the key that this one was made to replace. */
  replaces: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** About a minute late. */
  lastUsedAt: Date | null;
}

export type KeyStatus = 'active' | 'expired' | 'revoked';

export function keyStatus(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, nowMs: number): KeyStatus {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && key.expiresAt.getTime() <= nowMs ? 'expired' : 'active';
}

export const keyHash = (key: string): Buffer => hash('sha256', key, 'buffer');

export interface NewKey {
  id: string;
  /** Shown once, and stored nowhere. */
  key: string;
  hash: Buffer;
  prefix: string;
}

const PREFIX = 'wdr_';
const SHOWN_CHARACTERS = 8;

export function newKey(): NewKey {
  const key = `${PREFIX}${randomBytes(24).toString('hex')}`;
  return {
    id: `key_${randomBytes(6).toString('hex')}`,
    key,
    hash: keyHash(key),
    prefix: key.slice(0, PREFIX.length + SHOWN_CHARACTERS),
  };
}
