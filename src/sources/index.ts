// Every source, by name. Adding one is adding a line.
import { article } from './article/article.ts';
import { BOARD_SOURCES } from './boards/index.ts';
import { CAREER_SOURCES } from './careers/index.ts';
import type { Source } from './define.ts';
import { SHOPPING_SOURCES } from './shopping/index.ts';

const ALL: readonly Source[] = [article, ...BOARD_SOURCES, ...CAREER_SOURCES, ...SHOPPING_SOURCES];

export const SOURCES: ReadonlyMap<string, Source> = new Map(ALL.map((source) => [source.name, source]));
