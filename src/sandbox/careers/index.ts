// Every replica of a place where companies post.
import type { Replica } from '../replica.ts';
import { ashby } from './ashby.ts';
import { bamboohr } from './bamboohr.ts';
import { comeet } from './comeet.ts';
import { greenhouse } from './greenhouse.ts';
import { lever } from './lever.ts';
import { avature } from './pages/avature.ts';
import { gupy } from './pages/gupy.ts';
import { icims } from './pages/icims.ts';
import { jobvite } from './pages/jobvite.ts';
import { jobylon } from './pages/jobylon.ts';
import { join } from './pages/join.ts';
import { successfactors } from './pages/successfactors.ts';
import { personio } from './personio.ts';
import { recruitee } from './recruitee.ts';
import { breezy } from './recruiting/breezy.ts';
import { gem } from './recruiting/gem.ts';
import { jazzhr } from './recruiting/jazzhr.ts';
import { pinpoint } from './recruiting/pinpoint.ts';
import { rippling } from './recruiting/rippling.ts';
import { sites } from './sites.ts';
import { smartrecruiters } from './smartrecruiters.ts';
import { adp } from './suites/adp.ts';
import { eightfold } from './suites/eightfold.ts';
import { jibe } from './suites/jibe.ts';
import { oracle } from './suites/oracle.ts';
import { paylocity } from './suites/paylocity.ts';
import { phenom } from './suites/phenom.ts';
import { taleo } from './suites/taleo.ts';
import { ukg } from './suites/ukg.ts';
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
  oracle,
  phenom,
  eightfold,
  ukg,
  adp,
  jibe,
  icims,
  successfactors,
  jobvite,
  avature,
  join,
  gupy,
  jobylon,
  taleo,
];
