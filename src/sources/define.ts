// What a source is: a pure description of a place on the web. It never sees queues, proxies, retries or databases.
import type { z } from 'zod';
import type { Article } from '../model/article.ts';
import type { Posting } from '../model/posting.ts';
import type { Web } from '../web/port.ts';

/** The kind of item a source yields, and the type of that item. */
export interface ItemOf {
  article: Article;
  posting: Posting;
}
export type Kind = keyof ItemOf;

export interface Source<P = unknown, K extends Kind = Kind> {
  name: string;
  title: string;
  kind: K;
  /** Which workers may take its tasks: `http`, `browser`, or a lane of its own. */
  lane: string;
  /** Hosts it talks to; empty for sources that fetch any URL. */
  hosts: string[];
  pace: { concurrency: number; delayMs: number };
  params: z.ZodType<P>;
  scrape(params: P, web: Web): AsyncIterable<ItemOf[K]>;
}

export function defineSource<P, K extends Kind>(source: Source<P, K>): Source<P, K> {
  return source;
}
