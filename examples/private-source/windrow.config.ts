// A private source: the careers of Acme, which nobody else needs. Every windrow that is started in this folder has it.
import { defineConfig, defineSource, toPosting, z } from 'windrow/sources';

const SITE = 'https://jobs.acme.example';
const Job = z.object({ id: z.number(), title: z.string(), city: z.string() });

export const acmeJobs = defineSource({
  name: 'acme-jobs',
  title: 'Careers at Acme',
  kind: 'posting',
  lane: 'http',
  hosts: ['jobs.acme.example'],
  pace: { concurrency: 1, delayMs: 200 },
  params: z.object({ team: z.string().default('all') }),
  detect: (address) => (address.origin === SITE ? { team: address.searchParams.get('team') ?? 'all' } : null),
  async *scrape({ team }, web) {
    const { jobs } = await web.json(`${SITE}/api/jobs?team=${team}`, z.object({ jobs: z.array(Job) }));
    for (const { id, title, city } of jobs) {
      const job_url = `${SITE}/jobs/${id}`;
      yield toPosting({ source: 'acme-jobs', external_id: `${id}`, title, location: city, company: 'Acme', job_url });
    }
  },
});

export default defineConfig({ sources: [acmeJobs] });
