// Everything that is asked of the fleet at the same time.
import { articles, deadLetters } from './articles.ts';
import { carts } from './carts.ts';
import { companies } from './companies.ts';
import type { Load } from './load.ts';
import { schedules, searches, type Truth } from './searches.ts';

export const loads = (truth: Truth): Load[] => [
  articles,
  articles,
  deadLetters,
  searches(truth),
  schedules,
  companies,
  carts,
];
