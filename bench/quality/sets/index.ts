// The sets of `npm run quality`, in the order of the table. A set is one file here and one line in this list.
import type { QualitySet } from '../quality.ts';
import { articles } from './articles.ts';
import { pages } from './pages.ts';
import { postings } from './postings.ts';

export const SETS: QualitySet[] = [articles, pages, postings];
