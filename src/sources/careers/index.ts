// Every source of company career pages: the applicant-tracking systems by name, and the generic ones.

import { ashby } from '../ats/ashby.ts';
import { bamboohr } from '../ats/bamboohr.ts';
import { breezy } from '../ats/breezy.ts';
import { comeet } from '../ats/comeet.ts';
import { gem } from '../ats/gem.ts';
import { greenhouse } from '../ats/greenhouse.ts';
import { jazzhr } from '../ats/jazzhr.ts';
import { lever } from '../ats/lever.ts';
import { avature } from '../ats/pages/avature.ts';
import { gupy } from '../ats/pages/gupy.ts';
import { icims } from '../ats/pages/icims.ts';
import { jobvite } from '../ats/pages/jobvite.ts';
import { jobylon } from '../ats/pages/jobylon.ts';
import { join } from '../ats/pages/join.ts';
import { successfactors } from '../ats/pages/successfactors.ts';
import { personio } from '../ats/personio.ts';
import { pinpoint } from '../ats/pinpoint.ts';
import { recruitee } from '../ats/recruitee.ts';
import { rippling } from '../ats/rippling.ts';
import { smartrecruiters } from '../ats/smartrecruiters.ts';
import { adp } from '../ats/suites/adp.ts';
import { eightfold } from '../ats/suites/eightfold.ts';
import { jibe } from '../ats/suites/jibe.ts';
import { oracle } from '../ats/suites/oracle.ts';
import { paylocity } from '../ats/suites/paylocity.ts';
import { phenom } from '../ats/suites/phenom.ts';
import { taleo } from '../ats/suites/taleo.ts';
import { ukg } from '../ats/suites/ukg.ts';
import { workday } from '../ats/suites/workday.ts';
import { teamtailor } from '../ats/teamtailor.ts';
import { workable } from '../ats/workable.ts';
import type { Source } from '../define.ts';
import { api } from './api.ts';
import { embedded } from './embedded.ts';
import { playwright } from './playwright.ts';
import { rss } from './rss.ts';
import { sitemap } from './sitemap.ts';
import { staticPages } from './static.ts';

export const CAREER_SOURCES: readonly Source[] = [
  greenhouse,
  lever,
  ashby,
  smartrecruiters,
  comeet,
  workday,
  workable,
  recruitee,
  personio,
  teamtailor,
  bamboohr,
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
  rss,
  api,
  embedded,
  sitemap,
  staticPages,
  playwright,
];
