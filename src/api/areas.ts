// The areas of the contract. A new one is one file and one line here.
import { alerts } from './alerts.ts';
import { analytics } from './analytics.ts';
import { articleList } from './article-list.ts';
import { articles } from './articles.ts';
import { carts } from './carts.ts';
import { companies } from './companies.ts';
import { deadLetters } from './dead-letters.ts';
import { newPostings } from './new-postings.ts';
import { operations } from './operations.ts';
import { pages } from './pages.ts';
import { positions } from './positions.ts';
import { postings } from './postings.ts';
import { productList } from './product-list.ts';
import { queue } from './queue.ts';
import type { Area } from './route.ts';
import { runs } from './runs.ts';
import { schedules } from './schedules.ts';
import { scrapes } from './scrapes.ts';
import { socketTicket } from './socket-ticket.ts';
import { sources } from './sources.ts';
import { webhooks } from './webhooks.ts';

export const AREAS: readonly Area[] = [
  articles,
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
  queue,
  deadLetters,
  webhooks,
  operations,
  pages,
];
