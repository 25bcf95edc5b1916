// `windrow trigger …`: starts by hand what schedules do by themselves.
import { Command } from 'commander';
import { openClient } from './about-one.ts';
import { clientCommand } from './client.ts';
import { type StartedRun, showRun } from './company-run.ts';

type Options = Record<string, unknown> & { json?: boolean; wait?: boolean; incremental?: boolean };

export const make = () =>
  new Command('trigger')
    .description('Starts now what schedules do.')
    .helpOption('-h, --help', 'show this help')
    .addCommand(
      scrapeCommand('daily', 'Scrapes all active companies.', []).action((options: Options) =>
        scrape('/companies/scrape', options),
      ),
    )
    .addCommand(
      scrapeCommand('company', 'Scrapes one company.', ['Acme'])
        .argument('<company>', 'id or name')
        .action((company: string, options: Options) =>
          scrape(`/companies/${encodeURIComponent(company)}/scrape`, options),
        ),
    )
    .addCommand(scheduleCommand('stale', 'Closes positions that no scrape has seen for long.', 'stale-positions'))
    .addCommand(newPostings())
    .addCommand(scheduleCommand('cleanup', 'Removes old sessions, fires and closed positions.', 'weekly-cleanup'));

function scrapeCommand(name: string, about: string, example: string[]): Command {
  return clientCommand({
    name,
    about,
    examples: [[['windrow trigger', name, ...example, '--wait'].join(' '), 'and show what changed']],
  })
    .option('--incremental', 'fetch only what is new; nothing is closed')
    .option('-w, --wait', 'wait for the end and show what changed');
}

function scheduleCommand(name: string, about: string, schedule: string): Command {
  return clientCommand({
    name,
    about,
    examples: [[`windrow trigger ${name}`, `runs the schedule ${schedule} now`]],
  }).action((options: Options) => start(`/schedules/${schedule}/run`, undefined, options));
}

function newPostings(): Command {
  return clientCommand({
    name: 'new-postings',
    about: 'Groups and announces new postings now; orchestrators do it after every scrape.',
    examples: [['windrow trigger new-postings --json', 'for a program']],
  }).action(async (options: Options) => {
    const { client, terminal } = await openClient(options);
    const { data } = await client.send<{ data: { grouped: number; announced: number; matches: number } }>(
      'POST',
      '/postings/process',
    );
    if (options.json) return terminal.document(data);
    terminal.say(`${data.grouped} compared, ${data.announced} announced, ${data.matches} matches of alerts.`);
  });
}

const scrape = (path: string, options: Options): Promise<void> =>
  start(path, { incremental: Boolean(options.incremental) }, options);

async function start(path: string, body: object | undefined, options: Options): Promise<void> {
  const { client, terminal } = await openClient(options);
  await showRun(client, await client.send<StartedRun>('POST', path, body), terminal, options);
}
