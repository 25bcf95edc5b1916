// The interface of the store for names.
import type { Pool } from 'pg';
import { bindAll } from '../postgres/bind.ts';
import { type NameKind, type SimilarNames, similarNames } from './names.ts';

export interface NameStore {
  /** Names like this one, the most similar first, and what found them. */
  similarNames(kind: NameKind, asked: string): Promise<SimilarNames>;
}

export const nameStore = (pool: Pool): NameStore => bindAll(pool, { similarNames });
