// Work of every kind on the sandbox web: articles, searches of boards with several pages, carts, company scrapes. What each run is expected to bring is that
// nothing of it fails.
import type { HttpClient } from '../http-client.ts';

const HOSTS = ['harbour-courier.example', 'orchard-review.example', 'fieldnotes-blog.example', 'plain-divs.example'];
const COMPANIES = 3;

export async function createCompanies(client: HttpClient): Promise<void> {
  for (let n = 0; n < COMPANIES; n++) {
    const scraping_config = { scraper_type: 'greenhouse', board: `mixed-${n}` };
    await client.call('POST', '/companies', {
      body: { name: `Mixed ${n}`, website: `https://mixed-${n}.example`, scraping_config },
    });
  }
}

/** The nth submission: several runs, of which `n` makes others than before. */
export async function submitMixed(client: HttpClient, n: number): Promise<void> {
  const articles = HOSTS.map((host) => ({ url: `https://${host}/2026/03/mixed-${n}` }));
  const search = { site_name: ['indeed', 'linkedin'], search_term: `nurse ${n}`, location: 'Boston, MA' };
  const cart = { items: [`milk ${n}`, `eggs ${n}`], zipcode: '10001' };
  await client.call('POST', '/jobs/submit', { body: { articles } });
  await client.call('POST', '/jobs/scrape', { body: { ...search, results_wanted: 40 } });
  await client.call('POST', '/cart', { body: cart });
  if (n < COMPANIES) await client.call('POST', `/companies/Mixed ${n}/scrape`, { body: { incremental: false } });
}
