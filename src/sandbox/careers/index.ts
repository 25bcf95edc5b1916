// Every replica of a place where companies post.
import type { Replica } from '../replica.ts';
import { ashby } from './ashby.ts';
import { bamboohr } from './bamboohr.ts';
import { comeet } from './comeet.ts';
import { greenhouse } from './greenhouse.ts';
import { lever } from './lever.ts';
import { personio } from './personio.ts';
import { recruitee } from './recruitee.ts';
import { breezy } from './recruiting/breezy.ts';
import { gem } from './recruiting/gem.ts';
import { jazzhr } from './recruiting/jazzhr.ts';
import { pinpoint } from './recruiting/pinpoint.ts';
import { rippling } from './recruiting/rippling.ts';
import { sites } from './sites.ts';
import { smartrecruiters } from './smartrecruiters.ts';
import { paylocity } from './suites/paylocity.ts';
import { workday } from './suites/workday.ts';
import { teamtailor } from './teamtailor.ts';
import { workable } from './workable.ts';

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
  pinpoint,
  breezy,
  gem,
  rippling,
  jazzhr,
  paylocity,
];
