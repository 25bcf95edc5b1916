// `windrow articles …`: stored articles.
import type { Job } from '../../client/client.ts';
import { runWord } from '../../client/run-word.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { timeText } from '../../terminal/terminal.ts';
import { MORE, readCommand } from '../lists/read-command.ts';
import { make as submit } from '../scraping/submit.ts';
import { cell, itemCommand } from './item-lists.ts';

export const make = () =>
  itemCommand({
    name: 'articles',
    about: 'Stored articles of all runs.',
    examples: [
      ['windrow articles list --q "election -poll" --site bbc.com', 'newest first'],
      ['windrow articles list --published-after 2026-01-01 --ndjson', 'all matches, one JSON object per line'],
    ],
    sorts: ['scraped_at', 'published_at'],
    head: ['PUBLISHED', 'AUTHOR', 'TITLE', 'URL'],
    verbs: [submit(), jobs()],
    row: (one) => [cell(one.published_at).slice(0, 10), cell(one.author), cell(one.title), cell(one.url)],
  });

const jobs = () =>
  readCommand<{ jobs: Job[]; next_cursor: string | null }>({
    name: 'jobs',
    about: 'Lists what was submitted, newest first. `windrow runs` lists runs of all kinds.',
    examples: [['windrow articles jobs --status COMPLETED', 'those that have ended']],
    path: '/jobs/',
    flags: [
      {
        flags: '-s, --status <status>',
        about: 'PENDING, IN_PROGRESS, COMPLETED, FAILED or CANCELLED',
        parameter: 'status_filter',
      },
      { flags: '-n, --limit <number>', about: 'maximum number', read: wholeNumber(1, 1_000), value: 20 },
    ],
    show({ jobs: all, next_cursor: next }, { terminal }) {
      if (all.length === 0) return terminal.say('No jobs match.');
      const rows = all.map((one) => [
        one.job_id,
        runWord(one.status, one.failed),
        ...[one.completed, one.failed, one.pending].map(String),
        timeText(one.created_at),
      ]);
      terminal.table([['JOB', 'STATUS', 'COMPLETED', 'FAILED', 'PENDING', 'CREATED (UTC)'], ...rows]);
      if (next !== null) terminal.say(MORE);
    },
  });
