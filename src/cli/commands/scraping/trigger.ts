// `windrow trigger …`: runs scheduled tasks now.
import { Command } from 'commander';
import { AppError } from '../../../model/errors.ts';
import type { ScheduleTask } from '../../../model/schedule/schedule.ts';
import { type Client, clientCommand } from '../../client/client.ts';
import { openClient } from '../lists/about-one.ts';
import { type StartedRun, showRun } from '../lists/company-run.ts';

type Options = Record<string, unknown> & { json?: boolean; wait?: boolean; incremental?: boolean };

export const make = () =>
  new Command('trigger')
    .description('Runs a scheduled task now.')
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
      scheduleCommand('stale', 'Closes positions that were not seen for POSITION_STALE_DAYS.', {
        id: 'stale-positions',
        task: 'positions.stale',
        cron: '0 4 * * *',
      }),
    )
    .addCommand(newPostings())
    .addCommand(
      scheduleCommand('cleanup', 'Deletes old sessions, schedule history and closed positions.', {
        id: 'weekly-cleanup',
        task: 'cleanup',
        cron: '0 3 * * 0',
      }),
    );

/** A built-in schedule, and how to create it again. */
interface BuiltIn {
  id: string;
  task: ScheduleTask;
  cron: string;
}

function scrapeCommand(name: string, about: string, example: string[]): Command {
  return clientCommand({
    name,
    about,
    examples: [[['windrow trigger', name, ...example, '--wait'].join(' '), 'wait and show the changes']],
  })
    .option('--incremental', 'fetch only new positions. None is closed')
    .option('-w, --wait', 'wait until it has ended and show the changes');
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

/** The built-in schedule may have been deleted: any schedule of the same task is used. */
async function scheduleFor(client: Client, { id, task, cron }: BuiltIn): Promise<string> {
  const { schedules } = await client.get<{ schedules: { id: string }[] }>(`/schedules?task=${task}&limit=1000`);
  const found = schedules.find((one) => one.id === id) ?? schedules[0];
  if (found) return found.id;
  throw new AppError(
    'unknown_id',
    `The schedule ${id} was deleted. Add it again with: windrow schedules add ${task} --cron '${cron}'`,
  );
}

function newPostings(): Command {
  return clientCommand({
    name: 'new-postings',
    about: 'Groups and announces new postings now. Orchestrators also do this after every scrape.',
    examples: [['windrow trigger new-postings --json', 'as JSON']],
  }).action(async (options: Options) => {
    const { client, terminal } = await openClient(options);
    const { data } = await client.send<{ data: { grouped: number; announced: number; matches: number } }>(
      'POST',
      '/postings/process',
    );
    if (options.json) return terminal.document(data);
    terminal.say(`${data.grouped} postings compared, ${data.announced} announced, ${data.matches} alert matches.`);
  });
}

async function scrape(path: string, options: Options): Promise<void> {
  const { client, terminal } = await openClient(options);
  const body = { incremental: Boolean(options.incremental) };
  await showRun(client, await client.send<StartedRun>('POST', path, body), terminal, options);
}
