// The whole engine in a program: what is submitted is kept in an embedded PostgreSQL and survives the program. Run it with: node examples/engine.ts (in a clone after npm run build)
// `sandbox: true` keeps it off the real web.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWindrow } from 'windrow';

// A folder for this example only; leave `home` out to keep the data in .windrow.
const home = await mkdtemp(join(tmpdir(), 'windrow-example-'));
const windrow = await createWindrow({ home, sandbox: true });

const run = await windrow.submit({ kind: 'jobs', sites: ['indeed', 'linkedin'], searchTerm: 'nurse', results: 10 });
for await (const { status, completed, total } of windrow.follow(run))
  console.log(`${status}: ${completed} of ${total} sites`);
for await (const job of windrow.results(run)) console.log(`${job.title} at ${job.company} (${job.site})`);
for (const { site, message } of await windrow.results(run).errors()) console.error(`${site} failed: ${message}`);

await windrow.close();
await rm(home, { recursive: true, force: true });
