// `windrow schedules …`: schedules and their history.

import type { Command } from 'commander';
import type { z } from 'zod';
import type { ScheduleWithFires as ApiScheduleWithFires } from '../../../api/schedules/schemas.ts';
import { AppError } from '../../../model/errors.ts';
import { SCHEDULE_TASKS } from '../../../model/schedule/schedule.ts';
import { clientCommand } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { timeText } from '../../terminal/terminal.ts';
import { type At, aboutOne, type ClientOptions, openClient } from './about-one.ts';
import { changeCommand } from './change.ts';
import { type StartedRun, showRun } from './company-run.ts';
import { readCommand } from './read-command.ts';

type ScheduleView = z.infer<typeof ApiScheduleWithFires>;

type OneAt = At & { path: string };

const OWN_TASKS = SCHEDULE_TASKS.filter((task) => task !== 'search');

const one = aboutOne({ command: 'schedules', noun: 'schedule', example: 'daily-companies' });

export const make = () =>
  noun({
    name: 'schedules',
    about: 'Schedules and their history.',
    verbs: [
      list(),
      one('show', 'Shows a schedule and its latest runs.', show),
      add(),
      changeCommand({
        noun: 'schedules',
        argument: ['id', 'schedule id'],
        fields: 'enabled, interval_minutes, cron, timezone, payload, min_pause_seconds, max_pause_seconds, max_retries',
        examples: [['daily-companies --set "cron=0 6 * * *"', 'at another time']],
      }),
      one('pause', 'Pauses a schedule.', (at) => set(at, false)),
      one('resume', 'Resumes a schedule. Missed runs are not repeated.', (at) => set(at, true)),
      one('run', 'Runs a schedule now, even if it is paused.', run),
      runDue(),
      status(),
      one('remove', 'Deletes a schedule. Runs it has started continue.', remove),
    ],
  });

const timingText = ({ interval_minutes, cron, timezone }: ScheduleView): string =>
  cron === null ? `every ${interval_minutes} min` : `${cron} ${timezone}`;

function list(): Command {
  return clientCommand({
    name: 'list',
    about: 'Lists schedules.',
    examples: [['windrow schedules list --json', 'as JSON']],
  })
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 1_000), 100)
    .action(async (options: ClientOptions & { limit: number }) => {
      const { client, terminal } = await openClient(options);
      const found = await client.get<{ schedules: ScheduleView[]; total: number }>(`/schedules?limit=${options.limit}`);
      if (options.json) return terminal.document(found);
      const rows = found.schedules.map((schedule) => [
        schedule.id,
        schedule.site_name ?? schedule.task,
        timingText(schedule),
        timeText(schedule.last_run_at),
        schedule.enabled ? timeText(schedule.next_run_at) : 'paused',
      ]);
      terminal.table([['SCHEDULE', 'RUNS', 'WHEN', 'LAST (UTC)', 'NEXT (UTC)'], ...rows]);
      if (found.total > rows.length) terminal.say(`${rows.length} of ${found.total} shown. Show more with --limit`);
    });
}

async function show({ client, terminal, path, options }: OneAt): Promise<void> {
  const schedule = await client.get<ScheduleView>(path);
  if (options.json) return terminal.document(schedule);
  terminal.out(
    `${schedule.id}: ${schedule.site_name ?? schedule.task}, ${timingText(schedule)}, ${schedule.enabled ? `next ${timeText(schedule.next_run_at)}` : 'paused'}`,
  );
  const rows = (schedule.fires ?? []).map((fire) => [
    timeText(fire.instant),
    fire.state,
    fire.run_id ?? '',
    fire.reason ?? '',
  ]);
  terminal.table(rows);
}

async function set({ client, terminal, path, options }: OneAt, enabled: boolean): Promise<void> {
  const schedule = await client.send<ScheduleView>('PATCH', path, { enabled });
  if (options.json) terminal.document(schedule);
  else terminal.say(enabled ? `Next at ${timeText(schedule.next_run_at)}.` : 'Paused.');
}

async function run({ client, terminal, path, options }: OneAt): Promise<void> {
  const { task } = await client.get<ScheduleView>(path);
  await showRun(client, await client.send<StartedRun>('POST', `${path}/run`), terminal, {
    json: Boolean(options.json),
    isSearch: task === 'search',
  });
}

interface DueRuns {
  data: { enqueued: string[]; skipped: { schedule_id: string; reason: string }[] };
}

const runDue = (): Command =>
  clientCommand({
    name: 'run-due',
    about: 'Looks for schedules that are due, and runs them now. Orchestrators do this by themselves.',
    examples: [['windrow schedules run-due --json', 'what was started and what was skipped']],
  }).action(async (options: ClientOptions) => {
    const { client, terminal } = await openClient(options);
    const { data } = await client.send<DueRuns>('POST', '/scheduler/run');
    if (options.json) return terminal.document(data);
    for (const id of data.enqueued) terminal.out(id);
    for (const { schedule_id, reason } of data.skipped) terminal.say(`skipped ${schedule_id}: ${reason}`);
    terminal.say(`${data.enqueued.length} started, ${data.skipped.length} skipped.`);
  });

interface SchedulerStatus {
  data: {
    instances: { name: string; last_tick_at: string }[];
    schedules: {
      id: string;
      enabled: boolean;
      next_run_at: string | null;
      started: number;
      skipped: number;
      failed: number;
    }[];
  };
}

const status = (): Command =>
  readCommand<SchedulerStatus>({
    name: 'status',
    about: 'Shows who runs schedules, what comes next, and how often each was started, skipped and failed.',
    examples: [['windrow schedules status', 'the next one first']],
    path: '/scheduler/status',
    show: ({ data }, { terminal }) => {
      for (const { name, last_tick_at } of data.instances)
        terminal.say(`${name}, last looked ${timeText(last_tick_at)}`);
      const sorted = data.schedules.toSorted((a, b) => ((a.next_run_at ?? '9') < (b.next_run_at ?? '9') ? -1 : 1));
      const rows = sorted.map((one) => [
        one.id,
        one.enabled ? timeText(one.next_run_at) : 'paused',
        ...[one.started, one.skipped, one.failed].map(String),
      ]);
      terminal.table([['SCHEDULE', 'NEXT (UTC)', 'STARTED', 'SKIPPED', 'FAILED'], ...rows]);
    },
  });

async function remove({ client, terminal, path, options }: OneAt): Promise<void> {
  const gone = await client.send<{ id: string }>('DELETE', path);
  if (options.json) terminal.document(gone);
  else terminal.say(`Deleted ${gone.id}.`);
}

function add(): Command {
  return clientCommand({
    name: 'add',
    about: 'Adds a schedule for a job search, or for a built-in task.',
    examples: [
      [`windrow schedules add indeed --every 60 --payload '{"search_term":"nurse"}'`, 'about every hour'],
      [
        `windrow schedules add indeed --cron '0 6 * * 1-5' --timezone Europe/Berlin --payload '{"search_term":"nurse"}'`,
        'on weekdays at 6:00',
      ],
      ["windrow schedules add companies.scrape --cron '0 7 * * *'", 'all companies, like the built-in daily-companies'],
      [
        `windrow schedules add companies.scrape --every 60 --payload '{"companies":["Acme"]}'`,
        'one company, every hour',
      ],
    ],
  })
    .argument('<what>', `a job site (see GET /jobs/sites), or ${OWN_TASKS.join(', ')}`)
    .option('--every <minutes>', 'interval in minutes, with a jitter of ±10 %', wholeNumber(1, 525_600))
    .option('--cron <expression>', 'cron expression with five fields')
    .option('--timezone <zone>', 'time zone of --cron, such as Europe/Berlin')
    .option(
      '--payload <json>',
      'parameters as JSON: of the search, or incremental, companies, q, scraper_type for companies',
      '{}',
    )
    .option('--queue', 'if the previous run has not ended, wait for it instead of skipping')
    .action(
      async (
        what: string,
        options: ClientOptions & { every?: number; cron?: string; timezone?: string; payload: string; queue?: boolean },
      ) => {
        if ((options.every === undefined) === (options.cron === undefined))
          throw new AppError('invalid_usage', 'Give --every <minutes> or --cron <expression>.');
        const { client, terminal } = await openClient(options);
        const schedule = await client.send<ScheduleView>('POST', '/schedules', {
          ...(OWN_TASKS.some((task) => task === what) ? { task: what } : { site_name: what }),
          payload: parsePayload(options.payload),
          ...(options.every === undefined ? {} : { interval_minutes: options.every }),
          ...(options.cron === undefined ? {} : { cron: options.cron }),
          ...(options.timezone === undefined ? {} : { timezone: options.timezone }),
          ...(options.queue ? { overlap: 'queue' } : {}),
        });
        if (options.json) return terminal.document(schedule);
        terminal.out(schedule.id);
        terminal.say(`First run at ${timeText(schedule.next_run_at)}.`);
      },
    );
}

function parsePayload(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid_usage', `--payload is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}
