// The job boards, each with the parameters of params.ts.
import type { Source } from '../define.ts';
import { bayt } from './bayt.ts';
import { bdjobs } from './bdjobs.ts';
import { glassdoor } from './glassdoor/glassdoor.ts';
import { googleJobs } from './google-jobs/google-jobs.ts';
import { indeed } from './indeed/indeed.ts';
import { linkedin } from './linkedin/linkedin.ts';
import { naukri } from './naukri.ts';
import { ziprecruiter } from './ziprecruiter/ziprecruiter.ts';

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
