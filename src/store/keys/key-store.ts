// What others may ask of API keys.
import type { Pool } from 'pg';
import type { ApiKey, NewKey } from '../../model/key/key.ts';
import { bindAll } from '../postgres/bind.ts';
import {
  addKey,
  changeKey,
  getKey,
  type KeyChange,
  type KeyInput,
  type KeyPage,
  type KnownKey,
  listKeys,
  noteKeyUses,
  type RotatedKey,
  readKeys,
  revokeKey,
  rotateKey,
} from './keys.ts';

/** Keys as people keep them. */
export interface KeyStore {
  /** Null when there are too many. */
  addKey(made: NewKey, input: KeyInput): Promise<ApiKey | null>;
  /** Newest first. */
  listKeys(page: KeyPage): Promise<{ keys: ApiKey[]; nextCursor: string | null }>;
  /** Null when there is none; so are the next three. */
  getKey(id: string): Promise<ApiKey | null>;
  changeKey(id: string, change: KeyChange): Promise<ApiKey | null>;
  revokeKey(id: string): Promise<ApiKey | null>;
  /** Null also for a key that is revoked or has expired. */
  rotateKey(id: string, options: { made: NewKey; graceSeconds: number }): Promise<RotatedKey | null>;
}

/** Keys as API processes know them. */
export interface KeyRingStore {
  /** Those that were made or changed within so many seconds; null: all. */
  readKeys(withinSeconds: number | null): Promise<KnownKey[]>;
  noteKeyUses(uses: { id: string; at: Date }[]): Promise<void>;
}

export const keyStore = (pool: Pool): KeyStore & KeyRingStore =>
  bindAll(pool, { addKey, listKeys, getKey, changeKey, revokeKey, rotateKey, readKeys, noteKeyUses });
