// Every replica of a place where companies post.
import type { Replica } from '../replica.ts';
import { ashby } from './ashby.ts';
import { bamboohr } from './bamboohr.ts';
import { comeet } from './comeet.ts';
import { greenhouse } from './greenhouse.ts';
import { lever } from './lever.ts';
import { personio } from './personio.ts';
import { recruitee } from './recruitee.ts';
import { sites } from './sites.ts';
import { smartrecruiters } from './smartrecruiters.ts';
import { teamtailor } from './teamtailor.ts';
import { workable } from './workable.ts';
import { workday } from './workday.ts';

export const CAREER_REPLICAS: readonly Replica[] = [
  ashby,
  bamboohr,
  comeet,
  greenhouse,
  lever,
  personio,
  recruitee,
  sites,
  smartrecruiters,
  teamtailor,
  workable,
  workday,
];
