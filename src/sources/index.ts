// Every source, by name. Adding one is adding a line.
import { article } from './article.ts';
import type { Source } from './define.ts';

const ALL: readonly Source[] = [article];

export const SOURCES: ReadonlyMap<string, Source> = new Map(ALL.map((source) => [source.name, source]));
