// What a posting's own page states for machines, and how it goes with what the list said of it.
import { type Document, parse } from '../../extract/html/html.ts';
import type { WebResponse } from '../../web/port.ts';
import type { Advert, AdvertOrigins } from './advert.ts';
import { jobPostingAdvert, jobPostingId, jobPostingsIn } from './job-posting.ts';

/** The posting that a page is about: of several the one with its address, else the first; null where it states none. */
export function statedAdvert(page: Pick<WebResponse, 'url' | 'text'>, nowMs: number, doc?: Document): Advert | null {
  const nodes = jobPostingsIn(doc ?? parse(page.text));
  const node = nodes.find((one) => jobPostingId(one, '') === page.url) ?? nodes[0];
  return node === undefined ? null : jobPostingAdvert(node, { url: page.url, nowMs });
}

/** The page's word over the list's, later ones first. The list alone says which posting it is and where it stands. */
export function withStated(row: Advert, ...pages: (Advert | null)[]): Advert {
  const merged: Advert = { ...row };
  const origins: Record<string, string | undefined> = { ...row.origins };
  for (const more of pages) {
    for (const [name, value] of Object.entries(more ?? {})) {
      const isSaid = Array.isArray(value)
        ? value.length > 0
        : value !== null && value !== undefined && value !== '' && value !== false;
      if (!isSaid || name === 'id' || name === 'url' || name === 'origins') continue;
      Object.assign(merged, { [name]: value });
      origins[name] = more?.origins?.[name as keyof AdvertOrigins];
    }
  }
  return { ...merged, origins: origins as AdvertOrigins };
}
