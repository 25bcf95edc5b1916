// What the package offers as `windrow/testing`: a source on saved pages, and under the faults of the sandbox. It belongs to no test runner.
//   const run = await runSource(acmeJobs, { search_term: 'welder' }, { pages: { 'https://jobs.acme.example/?q=welder': new URL('page.html', import.meta.url) } });
//   run.items, run.error, run.skipped, run.requests
export { type RunOptions, runSource, type SourceRun } from './run-source.ts';
export type { PageReply, PageRequest, SavedPage, SavedPages } from './saved-pages.ts';
export { type FaultOptions, type FaultRun, runUnderFaults, USUAL_FAULTS } from './under-faults.ts';
