// Tools for whole sites: read their pages by following links, or list their URLs.
import { z } from 'zod';
import { crawl, piece, url, waitSeconds } from '../inputs.ts';
import { briefly, resultsOf, startCrawl, waitFor } from '../runs.ts';
import { tool } from '../tool.ts';

export const crawlSite = tool({
  name: 'crawl_site',
  title: 'Crawl a site',
  description:
    'Follows the links and sitemaps of one site within bounds and returns its pages as Markdown. Large sites take longer: read_results has the rest.',
  input: z.object({ ...crawl, wait_seconds: waitSeconds, max_characters: piece.max_characters }),
  isReading: false,
  async run({ wait_seconds, max_characters, ...wanted }, api, signal) {
    const run = await waitFor(api, await startCrawl(api, wanted), wait_seconds, signal);
    return { ...briefly(run), ...(await resultsOf(api, run, { cursor: undefined, budget: max_characters })) };
  },
});

interface SiteMap {
  run_id: string;
  status: string;
  urls: { url: string }[];
  error: string | null;
}

export const mapSite = tool({
  name: 'map_site',
  title: 'List the URLs of a site',
  description: 'Lists URLs of one site from its first page and its sitemaps, without reading the pages.',
  input: z.object({
    url,
    search: z.string().max(200).optional().describe('Only URLs that contain this text.'),
    limit: z.number().int().min(1).max(5_000).default(500),
    allow_subdomains: z.boolean().optional(),
    wait_seconds: waitSeconds,
  }),
  isReading: false,
  async run(wanted, api) {
    const { run_id, status, urls, error } = await api.submit<SiteMap>('/map', wanted);
    return { run_id, status, urls: urls.map((one) => one.url), ...(error === null ? {} : { error }) };
  },
});
