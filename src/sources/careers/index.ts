// Every source of company career pages: the applicant-tracking systems by name, and the generic ones.

import { ashby } from '../ats/ashby.ts';
import { bamboohr } from '../ats/bamboohr.ts';
import { comeet } from '../ats/comeet.ts';
import { greenhouse } from '../ats/greenhouse.ts';
import { lever } from '../ats/lever.ts';
import { personio } from '../ats/personio.ts';
import { recruitee } from '../ats/recruitee.ts';
import { smartrecruiters } from '../ats/smartrecruiters.ts';
import { teamtailor } from '../ats/teamtailor.ts';
import { workable } from '../ats/workable.ts';
import { workday } from '../ats/workday.ts';
import type { Source } from '../define.ts';
import { api } from './api.ts';
import { playwright } from './playwright.ts';
import { rss } from './rss.ts';
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
  rss,
  api,
  staticPages,
  playwright,
];
