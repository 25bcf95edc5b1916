// The job boards, each with the parameters of params.ts.
import type { Source } from '../define.ts';
import { bayt } from './bayt.ts';
import { bdjobs } from './bdjobs.ts';
import { glassdoor } from './glassdoor.ts';
import { googleJobs } from './google-jobs.ts';
import { indeed } from './indeed.ts';
import { linkedin } from './linkedin.ts';
import { naukri } from './naukri.ts';
import { ziprecruiter } from './ziprecruiter.ts';

export const BOARD_SOURCES: readonly Source[] = [
  indeed,
  linkedin,
  glassdoor,
  ziprecruiter,
  googleJobs,
  naukri,
  bayt,
  bdjobs,
];
