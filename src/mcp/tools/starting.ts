// The tool that starts a run of any kind and does not wait for it.
import { z } from 'zod';
import { cart, crawl, search, url } from '../inputs.ts';
import { startArticles, startCart, startCompany, startCrawl, startSearch } from '../runs.ts';
import { tool } from '../tool.ts';

export const startRun = tool({
  name: 'start_run',
  title: 'Start a run',
  description:
    'Starts a run and returns its run_id at once: many articles, a job search, a cart, a crawl of a site, or the career page of a company.',
  input: z.object({
    run: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('article'), urls: z.array(url).min(1).max(1_000) }),
      z.object({ kind: z.literal('posting'), ...search }),
      z.object({ kind: z.literal('cart'), ...cart }),
      z.object({ kind: z.literal('crawl'), ...crawl }),
      z.object({ kind: z.literal('company'), company: z.string().min(1).max(300).describe('Id or name.') }),
    ]),
  }),
  isReading: false,
  async run({ run }, api) {
    const { kind, ...wanted } = run;
    const id =
      run.kind === 'article'
        ? await startArticles(api, run.urls)
        : run.kind === 'company'
          ? await startCompany(api, run.company)
          : run.kind === 'cart'
            ? await startCart(api, wanted)
            : run.kind === 'crawl'
              ? await startCrawl(api, wanted)
              : await startSearch(api, wanted);
    return { run_id: id, kind, next: 'follow_run waits for it, read_results returns what it found.' };
  },
});
