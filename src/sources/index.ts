// Every source, by name. Adding one is adding a line.
import { article } from './article.ts';
import { CAREER_SOURCES } from './careers/index.ts';
import type { Source } from './define.ts';

const ALL: readonly Source[] = [article, ...CAREER_SOURCES];

export const SOURCES: ReadonlyMap<string, Source> = new Map(ALL.map((source) => [source.name, source]));
