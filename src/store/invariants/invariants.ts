// All of them, for the doctor and for the tests.
import { CRAWL_RULES } from './crawl-rules.ts';
import { DATA_RULES } from './data-rules.ts';
import type { Invariant } from './invariant.ts';
import { ROLLUP_RULES } from './rollup-rules.ts';
import { SERVER_RULES } from './server-rules.ts';
import { WORK_RULES } from './work-rules.ts';

export const INVARIANTS: readonly Invariant[] = [
  ...WORK_RULES,
  ...CRAWL_RULES,
  ...DATA_RULES,
  ...ROLLUP_RULES,
  ...SERVER_RULES,
];
