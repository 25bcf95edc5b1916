// `windrow trigger …`: starts by hand what schedules do by themselves.
import { Command } from 'commander';
import { AppError } from '../../../model/errors.ts';
import type { ScheduleTask } from '../../../model/schedule/schedule.ts';
import { type Client, clientCommand } from '../../client/client.ts';
import { openClient } from '../lists/about-one.ts';
import { type StartedRun, showRun } from '../lists/company-run.ts';

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
    .addCommand(
      scheduleCommand('stale', 'Closes positions that no scrape has seen for long.', {
        id: 'stale-positions',
        task: 'positions.stale',
        cron: '0 4 * * *',
      }),
    )
    .addCommand(newPostings())
    .addCommand(
      scheduleCommand('cleanup', 'Removes old sessions, fires and closed positions.', {
        id: 'weekly-cleanup',
        task: 'cleanup',
        cron: '0 3 * * 0',
      }),
    );

/** A built-in schedule, and what makes another one like it. */
interface BuiltIn {
  id: string;
  task: ScheduleTask;
  cron: string;
}

function scrapeCommand(name: string, about: string, example: string[]): Command {
  return clientCommand({
    name,
    about,
    examples: [[['windrow trigger', name, ...example, '--wait'].join(' '), 'and show what changed']],
  })
    .option('--incremental', 'fetch only what is new; nothing is closed')
    .option('-w, --wait', 'wait for the end and show what changed');
}

function scheduleCommand(name: string, about: string, builtIn: BuiltIn): Command {
  return clientCommand({
    name,
    about,
    examples: [[`windrow trigger ${name}`, `runs the schedule ${builtIn.id} now`]],
  }).action(async (options: Options) => {
    const { client, terminal } = await openClient(options);
    const path = `/schedules/${await scheduleFor(client, builtIn)}/run`;
    await showRun(client, await client.send<StartedRun>('POST', path), terminal, options);
  });
}

/** Schedules can be removed and others added in their place: any that does the same will do. */
async function scheduleFor(client: Client, { id, task, cron }: BuiltIn): Promise<string> {
  const { schedules } = await client.get<{ schedules: { id: string }[] }>(`/schedules?task=${task}&limit=1000`);
  const found = schedules.find((one) => one.id === id) ?? schedules[0];
  if (found) return found.id;
  throw new AppError(
    'unknown_id',
    `The schedule ${id} was removed. Add another with: windrow schedules add ${task} --cron '${cron}'`,
  );
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

async function scrape(path: string, options: Options): Promise<void> {
  const { client, terminal } = await openClient(options);
  const body = { incremental: Boolean(options.incremental) };
  await showRun(client, await client.send<StartedRun>('POST', path, body), terminal, options);
}
