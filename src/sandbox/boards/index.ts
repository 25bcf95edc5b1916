// Replicas of the job boards, all showing the one world of catalogue.ts.
import type { Replica } from '../replica.ts';
import { glassdoor } from './glassdoor.ts';
import { googleJobs } from './google-jobs.ts';
import { indeed } from './indeed.ts';
import { linkedin } from './linkedin.ts';
import { bayt, bdjobs, naukri } from './others.ts';
import { ziprecruiter } from './ziprecruiter.ts';

export const BOARD_REPLICAS: readonly Replica[] = [
  indeed,
  linkedin,
  glassdoor,
  ziprecruiter,
  googleJobs,
  naukri,
  bayt,
  bdjobs,
];
