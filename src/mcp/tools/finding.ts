// Tools that start a run, wait for it within bounds and return what it found.
import { z } from 'zod';
import { type Api, idPath, withQuery } from '../api.ts';
import { cart, piece, search, url, waitSeconds } from '../inputs.ts';
import { briefly, resultsOf, startArticles, startCart, startSearch, waitFor } from '../runs.ts';
import { tool } from '../tool.ts';

export const searchJobs = tool({
  name: 'search_jobs',
  title: 'Search job sites',
  description: 'Searches job sites for postings and waits for them. If it takes longer, read them with read_results.',
  input: z.object({ ...search, wait_seconds: waitSeconds, max_characters: piece.max_characters }),
  isReading: false,
  run: async ({ wait_seconds, max_characters, ...wanted }, api, signal) =>
    found(api, await startSearch(api, wanted), { seconds: wait_seconds, budget: max_characters, signal }),
});

export const cartPrices = tool({
  name: 'cart_prices',
  title: 'Prices of a cart',
  description: 'Finds products and prices for items near a US ZIP code, and waits for them.',
  input: z.object({ ...cart, wait_seconds: waitSeconds, max_characters: piece.max_characters }),
  isReading: false,
  run: async ({ wait_seconds, max_characters, ...wanted }, api, signal) =>
    found(api, await startCart(api, wanted), { seconds: wait_seconds, budget: max_characters, signal }),
});

async function found(
  api: Api,
  id: string,
  { seconds, budget, signal }: { seconds: number; budget: number; signal: AbortSignal },
): Promise<object> {
  const run = await waitFor(api, id, seconds, signal);
  return { ...briefly(run), ...(await resultsOf(api, run, { cursor: undefined, budget })) };
}

interface Articles {
  results: {
    url: string;
    title: string | null;
    author: string | null;
    published_at: string | null;
    content: string | null;
  }[];
  failed_articles: { error: string }[];
}

export const scrapeArticle = tool({
  name: 'scrape_article',
  title: 'Read an article',
  description:
    'Scrapes the article at a URL and returns it as Markdown. Long ones in parts: offset is next_offset of the part before.',
  input: z.object({
    url,
    max_age_seconds: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Reuse it if scraped within this time. Default: any age.'),
    offset: z.number().int().min(0).default(0).describe('First character to return.'),
    max_characters: piece.max_characters,
    wait_seconds: waitSeconds,
  }),
  isReading: false,
  async run({ url: address, max_age_seconds, offset, max_characters, wait_seconds }, api, signal) {
    const id = await startArticles(api, [address], offset > 0 ? undefined : max_age_seconds);
    const run = await waitFor(api, id, wait_seconds, signal);
    const { results, failed_articles } = await api.get<Articles>(
      withQuery(idPath('/jobs', id, '/results'), { format: 'markdown', limit: 1 }),
    );
    const [article] = results;
    if (!article) return { ...briefly(run), ...(failed_articles[0] ? { error: failed_articles[0].error } : {}) };
    const content = article.content ?? '';
    const end = offset + max_characters;
    return {
      url: article.url,
      title: article.title,
      author: article.author,
      published_at: article.published_at,
      content: content.slice(offset, end),
      characters: content.length,
      next_offset: end < content.length ? end : null,
    };
  },
});
