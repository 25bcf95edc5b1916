// `windrow runs`: what a server has been asked for, newest first.
import { Option } from 'commander';
import { clientCommand, configuredClient, type Job } from './client.ts';
import { wholeNumber } from './options.ts';
import { columns, createTerminal } from './terminal.ts';

interface JobList {
  jobs: Job[];
  total: number;
}

export const make = () =>
  clientCommand({
    name: 'runs',
    about: 'Lists the runs of a server, newest first.',
    examples: [
      ['windrow runs', 'the last 20'],
      ['windrow runs --status FAILED --limit 100 --json', 'for a program'],
    ],
  })
    .option('-n, --limit <number>', 'how many', wholeNumber(1, 1_000), 20)
    .addOption(
      new Option('-s, --status <status>', 'only these').choices([
        'PENDING',
        'IN_PROGRESS',
        'COMPLETED',
        'FAILED',
        'CANCELLED',
      ]),
    )
    .action(async (options: Record<string, unknown> & { limit: number; status?: string }) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const client = await configuredClient(options, terminal);
      const query = new URLSearchParams({
        limit: String(options.limit),
        ...(options.status ? { status_filter: options.status } : {}),
      });
      const { jobs, total } = await client.get<JobList>(`/jobs/?${query}`);
      if (options.json) return terminal.document({ jobs, total });
      if (jobs.length === 0) return terminal.say('No runs. Start one with: windrow submit https://example.com/story');
      const rows = jobs.map((job) => [
        job.job_id,
        job.status,
        `${job.completed}/${job.total_articles}`,
        job.failed > 0 ? `${job.failed} failed` : '',
        job.created_at.replace('T', ' ').slice(0, 19),
      ]);
      for (const line of columns([['RUN', 'STATUS', 'SCRAPED', 'FAILED', 'CREATED (UTC)'], ...rows]))
        terminal.out(line);
      if (total > jobs.length) terminal.say(`${jobs.length} of ${total}; more with --limit`);
    });
