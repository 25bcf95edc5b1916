// Every source of company career pages: the applicant-tracking systems by name, and the generic ones.
import type { Source } from '../define.ts';
import { api } from './api.ts';
import { ashby } from './ashby.ts';
import { bamboohr } from './bamboohr.ts';
import { comeet } from './comeet.ts';
import { greenhouse } from './greenhouse.ts';
import { lever } from './lever.ts';
import { personio } from './personio.ts';
import { playwright } from './playwright.ts';
import { recruitee } from './recruitee.ts';
import { rss } from './rss.ts';
import { smartrecruiters } from './smartrecruiters.ts';
import { staticPages } from './static.ts';
import { teamtailor } from './teamtailor.ts';
import { workable } from './workable.ts';
import { workday } from './workday.ts';

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
