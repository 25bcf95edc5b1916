// Every source, by name. Adding one is adding a line.
import { article } from './article.ts';
import { BOARD_SOURCES } from './boards/index.ts';
import { CAREER_SOURCES } from './careers/index.ts';
import type { Source } from './define.ts';
import { type ShoppingKeys, shoppingSources } from './shopping/index.ts';

/** Keys of places that want one; a source without its key is there and says what is missing. */
export type SourceKeys = ShoppingKeys;

export function createSources(keys: SourceKeys = {}): ReadonlyMap<string, Source> {
  const all: Source[] = [article, ...BOARD_SOURCES, ...CAREER_SOURCES, ...shoppingSources(keys)];
  return new Map(all.map((source) => [source.name, source]));
}

export const SOURCES: ReadonlyMap<string, Source> = createSources();
