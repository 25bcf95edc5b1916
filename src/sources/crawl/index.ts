// Sources that read one page of a crawl.
import type { Source } from '../define.ts';
import { crawl } from './crawl.ts';

export const CRAWL_SOURCES: readonly Source[] = [crawl as Source];
