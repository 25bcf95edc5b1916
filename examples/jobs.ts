// Jobs of two boards in one loop. Run it with: node examples/jobs.ts (in a clone after npm run build)
// `sandbox: true` keeps it off the real web; take it out to search for real.
import { scrapeJobs } from 'windrow';

const jobs = scrapeJobs({
  sites: ['indeed', 'linkedin'],
  searchTerm: 'nurse',
  location: 'Boston',
  results: 20,
  hoursOld: 24 * 30,
  sandbox: true,
  signal: AbortSignal.timeout(120_000),
});

for await (const job of jobs) {
  const pay = job.salaryAnnual?.min ? `from ${job.salaryAnnual.min} ${job.currency} a year` : '';
  console.log([job.postedDate, job.site, job.title, job.company, job.location, pay].filter(Boolean).join(' · '));
}

// A site that failed does not end the others: it is told here.
for (const { site, code, message } of jobs.errors) console.error(`${site} failed (${code}): ${message}`);
console.log(jobs.progress.sites.map(({ site, found }) => `${site}: ${found}`).join(', '));
