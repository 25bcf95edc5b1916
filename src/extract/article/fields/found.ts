// A field with where it came from. Each field is an ordered list of places to look; the first good answer wins.
import type { Facts } from '../page/facts.ts';
import type { View } from '../page/view.ts';
import type { SiteNames } from './site.ts';

export type Origin = 'json-ld' | 'microdata' | 'opengraph' | 'meta' | 'html' | 'url' | 'heuristic';

export interface FieldValue<T = string> {
  value: T;
  from: Origin;
  /** The name of the tag or property, or the sign that was read. */
  detail: string;
}

/** What every field may look at. */
export interface PageContext {
  view: View;
  facts: Facts;
  /** The page as it came, for what only its scripts say. */
  html: string;
  url: string | null;
  now: Date;
  language: string | null;
  site: SiteNames;
  /** The block that is the headline, or -1. */
  titleAt: number;
  /** First and last taken block, or -1. */
  bodyFrom: number;
  bodyTo: number;
}

export type FieldReader<T = string> = (context: PageContext) => FieldValue<T> | null;

export function firstOf<T>(context: PageContext, places: FieldReader<T>[]): FieldValue<T> | null {
  for (const look of places) {
    const found = look(context);
    if (found) return found;
  }
  return null;
}

export const metaOrigin = (name: string): Origin => (/^(?:og|article|twitter):/.test(name) ? 'opengraph' : 'meta');
