import { expect, test } from 'vitest';
import { sortReports } from './sort-reports.ts';

const id = '0199a0de-0000-7000-8000-000000000001';
/** As the contract shows it, without what may be left out. */
const result = {
  task_id: id,
  run_id: 'manual_a1b2c3d4',
  attempt: 1,
  status: 'success',
  scraper_type: 'indeed',
  execution_time: 45.2,
  jobs_found: 1,
  metadata: { worker: 'w' },
  completed_at: '2024-01-01T00:05:45Z',
};

const sort = async (...raw: unknown[]) => {
  const problems: string[] = [];
  return { ...(await sortReports(raw, (problem) => problems.push(problem))), problems };
};

test('a posting with the fields of the contract only becomes a whole one', async () => {
  const posting = {
    title: 'Software Engineer',
    company: 'Example Corp',
    location: 'San Francisco, CA',
    salary_min: 120_000,
    salary_max: 180_000,
    job_url: 'https://example.com/1',
    description: 'Builds things.',
    posted_date: '2024-01-01',
    job_hash: 'ab'.repeat(32),
  };
  const bare = { title: 'Nurse', job_url: 'https://example.com/2' };
  const { results, problems } = await sort({ ...result, jobs_data: [posting, bare] });
  expect(problems).toEqual([]);
  expect(results[0]!.jobs_data).toMatchObject([
    {
      ...posting,
      source: 'indeed',
      external_id: posting.job_hash,
      posted_at: '2024-01-01T00:00:00.000Z',
      posted_precision: 'day',
      salary: { min: 120_000, max: 180_000, interval: null },
      skills: [],
    },
    { ...bare, source: 'indeed', external_id: bare.job_url, company: null, posted_at: null, salary: null },
  ]);
  expect(results[0]!.jobs_data![1]!.job_hash).toMatch(/^[0-9a-f]{64}$/);
});

test('a result that cannot be read is a failure of its attempt, with what is wrong', async () => {
  const { results, problems } = await sort({ ...result, jobs_data: [{ title: 7 }] });
  expect(problems).toEqual([expect.stringContaining('jobs_data.0.title')]);
  expect(results).toMatchObject([
    {
      task_id: id,
      attempt: 1,
      last: true,
      status: 'failed',
      scraper_type: 'indeed',
      metadata: { worker: 'w' },
      error: { category: 'internal', code: 'unreadable_report', message: expect.stringContaining('jobs_data.0.title') },
    },
  ]);
  expect(results[0]!.jobs_data).toBeUndefined();
});

test('what does not say whose it is, or is no result, is left out', async () => {
  const sorted = await sort(
    'text',
    null,
    7,
    {},
    { ...result, task_id: 'not-a-uuid' },
    { ...result, attempt: 1e12 },
    { type: 'held', worker: 'x', tasks: [{ task_id: 'abc', attempt: 1 }] },
    { type: 'gone', task_id: id, attempt: 1 },
  );
  expect(sorted).toMatchObject({ results: [], held: [], returned: [] });
  expect(sorted.problems).toHaveLength(8);
});
