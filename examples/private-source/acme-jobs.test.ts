// The source on a saved answer, without the web: node --test
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSource, runUnderFaults } from 'windrow/testing';
import { acmeJobs } from './windrow.config.ts';

const pages = { 'https://jobs.acme.example/api/jobs?team=all': new URL('jobs.json', import.meta.url) };

test('the jobs of Acme become postings', async () => {
  const { items, error } = await runSource(acmeJobs, {}, { pages });
  assert.equal(error, null);
  assert.deepEqual(
    items.map(({ title, location }) => [title, location]),
    [
      ['Welder', 'Austin, TX'],
      ['Dock Planner', 'Rotterdam'],
    ],
  );
});

test('under faults it says so, and never gives less as if that were all', async () => {
  const runs = await runUnderFaults(acmeJobs, {}, { pages });
  assert.deepEqual(
    runs.filter((run) => !run.isHonest).map((run) => run.fault),
    [],
  );
});
