// What can be done with a page of a crawl that became a dead letter. Its crawl has ended, so no link of it leads anywhere any more: what is left to do is to read it
// as an article, where it may be one.
import type { FieldError } from '../errors.ts';

/** The source that reads pages of any site by their links. */
export const CRAWL_SOURCE = 'crawl';

interface Letter {
  source: string;
  params: Record<string, unknown>;
}

export const isCrawlPage = ({ source }: Pick<Letter, 'source'>): boolean => source === CRAWL_SOURCE;

/** Why it cannot be tried again, and what to do instead; null: it can. */
export function retryProblem({ source, params }: Letter): string | null {
  if (!isCrawlPage({ source })) return null;
  if (params.only_links === true) return `${OF_ENDED.map} Map the site again (POST /map, windrow map), and ${DELETE}`;
  if (params.what === 'sitemap')
    return `${OF_ENDED.sitemap} Crawl or map the site again, with sitemap=skip if its sitemaps cannot be read, and ${DELETE}`;
  if (params.is_first === true)
    return `${OF_ENDED.first} Crawl the site again (POST /crawl, windrow crawl), and ${DELETE}`;
  return null;
}

const OF_ENDED = {
  map: 'It is the first page of a map that has ended.',
  sitemap: 'It is a sitemap of a crawl or map that has ended, and no article.',
  first: 'It is the first page of a crawl, which failed with it.',
};
const DELETE = 'delete this dead letter.';

/** What of its input means nothing any more. */
export const editProblems = (letter: Pick<Letter, 'source'>, changed: readonly string[]): FieldError[] =>
  isCrawlPage(letter)
    ? changed
        .filter((name) => name !== 'url')
        .map((name) => ({
          pointer: `/params/${name}`,
          detail: 'cannot be changed: a page of a crawl is retried as an article, and only its url can be another',
        }))
    : [];
