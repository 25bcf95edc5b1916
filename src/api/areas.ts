// The areas of the contract. A new one is one file and one line here.
import { alerts } from './alerts/routes.ts';
import { articleList } from './articles/list.ts';
import { articles } from './articles/routes.ts';
import { assistants } from './assistants/routes.ts';
import { carts } from './carts/routes.ts';
import { positions } from './companies/positions.ts';
import { companies } from './companies/routes.ts';
import { crawls } from './crawls/routes.ts';
import { deadLetters } from './dead-letters/routes.ts';
import { evidence } from './evidence/routes.ts';
import type { Area } from './http/route.ts';
import { keys } from './keys/routes.ts';
import { analytics } from './operations/analytics.ts';
import { overview } from './operations/overview.ts';
import { queue } from './operations/queue.ts';
import { queueHistory } from './operations/queue-history.ts';
import { operations } from './operations/routes.ts';
import { pages } from './pages/routes.ts';
import { newPostings } from './postings/new-postings.ts';
import { postings } from './postings/routes.ts';
import { productList } from './products/list.ts';
import { quality } from './quality/routes.ts';
import { runs } from './runs/routes.ts';
import { schedules } from './schedules/routes.ts';
import { scrapes } from './searches/routes.ts';
import { sessions } from './session/routes.ts';
import { settings } from './settings/routes.ts';
import { sources } from './sources/routes.ts';
import { webhooks } from './webhooks/routes.ts';
import { workers } from './workers/routes.ts';
import { socketTicket } from './ws/ticket-route.ts';

/** What they answer may be some seconds old: a replica may answer it. */
export const READING: ReadonlySet<Area> = new Set([postings, articleList, productList, analytics]);

export const AREAS: readonly Area[] = [
  articles,
  crawls,
  scrapes,
  schedules,
  companies,
  positions,
  carts,
  socketTicket,
  postings,
  newPostings,
  alerts,
  articleList,
  productList,
  sources,
  analytics,
  runs,
  overview,
  queue,
  queueHistory,
  deadLetters,
  evidence,
  quality,
  webhooks,
  keys,
  operations,
  workers,
  sessions,
  assistants,
  settings,
  pages,
];
