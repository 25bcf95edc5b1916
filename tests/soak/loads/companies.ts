// Career pages of companies, scraped again and again; what a board shows is known.
import { positionsAt } from '../../../src/sandbox/careers/truth.ts';
import { NOW_MS } from '../world.ts';
import { type Load, repeat, submitOnce } from './load.ts';

const COMPANIES = ['aldermoor', 'brightwater', 'castlegate', 'dunmore', 'eastvale', 'fernhill'].map((token, n) => ({
  name: `Soak ${token}`,
  vendor: n % 2 === 0 ? ('greenhouse' as const) : ('ashby' as const),
  token,
}));

export const companies: Load = async (context) => {
  for (const [n, { name, vendor, token }] of COMPANIES.entries()) {
    const body = { name, scraping_config: { scraper_type: vendor, board: token } };
    await context.world.client.post('/companies', body, `soak-company-${n}`);
  }
  await repeat(context, 6_000, async (random) => {
    const { name, vendor, token } = random.pick(COMPANIES);
    const runId = await submitOnce(context, random, {
      path: `/companies/${encodeURIComponent(name)}/scrape`,
      body: { incremental: false },
      idOf: (json) => (json.data as { run_id?: string } | undefined)?.run_id,
    });
    if (runId === undefined) return;
    const positions = positionsAt({ vendor, token }, NOW_MS).length;
    context.ledger.add(runId, { kind: 'company', company: name, positions });
  });
};
