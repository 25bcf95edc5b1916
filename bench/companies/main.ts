// Does a company's share of the daily run grow with the number of companies? The whole engine without a web: each company's board is made up on the spot
// (ten positions), so what is timed is taking in, dispatching, recording and settling. It promises that a company of 10,000 costs at most half as
// much again as one of 1,000; the 100 are shown for their latency, most of which is waiting for loops.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { toPosting } from '../../src/model/posting/posting.ts';
import { createIntake } from '../../src/orchestrator/intake/intake.ts';
import { startOrchestrator } from '../../src/orchestrator/orchestrator.ts';
import { defineSource } from '../../src/sources/define.ts';
import { openStore } from '../../src/store/store.ts';
import type { Web } from '../../src/web/port.ts';
import { createMemoryWire } from '../../src/wire/memory.ts';
import { runHere } from '../../src/worker/run-source.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { openSql } from '../../tests/support/invariants.ts';
import { freshDatabase } from '../../tests/support/own-servers.ts';
import { found } from '../found.ts';

const SIZES = [100, 1_000, 10_000];
const POSITIONS = 10;
const MOST_GROWTH = 1.5;

const board = defineSource({
  name: 'made-up',
  title: 'Made up',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 0 },
  params: z.object({ board: z.string() }),
  async *scrape({ board: ref }) {
    for (let n = 0; n < POSITIONS; n++)
      yield toPosting({
        source: 'made-up',
        company_ref: ref,
        external_id: String(n),
        title: `Position ${n}`,
        job_url: `https://${ref}.example/${n}`,
        description_html: `<p>${'Text of the position. '.repeat(20)}</p>`,
      });
  },
});

const perCompany: number[] = [];
for (const size of SIZES) {
  const [first, second] = await days(size);
  perCompany.push(second! / size);
  console.log(
    `${String(size).padStart(6)} companies: first day ${(first! / size).toFixed(2)} ms a company, next day ${(second! / size).toFixed(2)} ms`,
  );
}
const growth = perCompany[2]! / perCompany[1]!;
found('a company among 10,000, next to one among 1,000', growth, 'times', { atMost: MOST_GROWTH });

/** Milliseconds of the first full scrape, which creates everything, and of the second, which finds it unchanged. */
async function days(size: number): Promise<number[]> {
  const database = await freshDatabase();
  const store = await openStore({ connection: database.url, max: 12 });
  const { sql, close } = await openSql(database.url);
  const wire = createMemoryWire();
  const orchestrator = startOrchestrator({
    store,
    wire,
    leaseSeconds: 30,
    sweepSeconds: 10,
    maxWindow: 2_000,
    retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
    log: () => {},
  });
  const ledger = { requests: 0, bytes: 0, rateLimited: false, captchaEncountered: false, proxyUsed: null };
  const worker = startWorker({
    name: 'w1',
    wire,
    lanes: ['http'],
    slots: 50,
    runSource: runHere(() => board),
    webFor: () => ({ ledger }) as unknown as Web,
    heartbeatMs: 1_000,
    version: 'bench',
    log: () => {},
  });
  const intake = createIntake({ store, wire, maxRetries: 3, taskTimeoutSeconds: 60, laneOf: () => 'http' });
  await store.saveCompanies(
    Array.from({ length: size }, (_, n) => ({
      name: `Company ${n}`,
      website: null,
      active: true,
      scrapingConfig: { scraper_type: 'made-up', board: `c${n}` },
    })),
  );
  const taken: number[] = [];
  for (let day = 0; day < 2; day++) {
    const began = performance.now();
    const companies = await store.activeCompanies();
    await intake.scrapeCompanies(
      { companies, incremental: false, trigger: 'manual' },
      { requestId: null, idempotency: null },
    );
    while ((await sql(`select 1 from windrow.sessions where status = 'running' limit 1`)).length > 0) await sleep(20);
    taken.push(performance.now() - began);
  }
  const [open] = await sql<{ n: number }>('select count(*)::int as n from windrow.positions where active');
  if (open!.n !== size * POSITIONS) throw new Error(`${open!.n} positions are open, not ${size * POSITIONS}`);
  await worker.drain(0);
  await orchestrator.stop();
  await wire.close();
  await Promise.all([store.close(), close()]);
  await database.drop();
  return taken;
}
