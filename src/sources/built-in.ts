// Every source that comes with Windrow, by name. Those of one's own are added by source-modules.
import { ARTICLE_SOURCES } from './article/index.ts';
import { BOARD_SOURCES } from './boards/index.ts';
import { CAREER_SOURCES } from './careers/index.ts';
import { CRAWL_SOURCES } from './crawl/index.ts';
import type { Source } from './define.ts';
import { SHOPPING_SOURCES } from './shopping/index.ts';

const ALL: readonly Source[] = [
  ...ARTICLE_SOURCES,
  ...CRAWL_SOURCES,
  ...BOARD_SOURCES,
  ...CAREER_SOURCES,
  ...SHOPPING_SOURCES,
];

export const SOURCES: ReadonlyMap<string, Source> = new Map(ALL.map((source) => [source.name, source]));
