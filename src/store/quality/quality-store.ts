// Interfaces of the store for quality checks.
import type { Pool } from 'pg';
import { bindAll } from '../postgres/bind.ts';
import { judgeArticleRuns } from './article-runs.ts';
import type { NewCheck, RulesOf } from './checks.ts';
import { type Decided, type Decision, decideQuality } from './decide.ts';
import { listQuality, type QualityCheck, type QualityQuery, qualityOfRun, qualityOfRuns } from './quality-list.ts';

/** How good what runs brought was. */
export interface QualityStore {
  listQuality(listQuery: QualityQuery): Promise<QualityCheck[]>;
  /** Of one run; empty where nothing of it was judged. */
  qualityOfRun(runId: string): Promise<QualityCheck[]>;
  qualityOfRuns: (runIds: readonly string[]) => ReturnType<typeof qualityOfRuns>;
  /** Stores or drops what is kept apart of a run. A second call finds nothing to decide. */
  decideQuality(decision: Decision): Promise<Decided>;
}

export interface ArticleQualityStore {
  /** Judges ended runs of many articles. */
  judgeArticleRuns(rulesOf: RulesOf): Promise<{ runs: number; checks: NewCheck[] }>;
}

export const qualityStore = (pool: Pool): QualityStore & ArticleQualityStore =>
  bindAll(pool, { listQuality, qualityOfRun, qualityOfRuns, decideQuality, judgeArticleRuns });
