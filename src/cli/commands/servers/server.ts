// `windrow server …`: how a running server is doing.
import { pipeline } from 'node:stream/promises';
import { clientCommand } from '../../client/client.ts';
import { bytesOf } from '../../client/page.ts';
import { noun } from '../../command.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { timeText } from '../../terminal/terminal.ts';
import { type ClientOptions, openClient } from '../lists/about-one.ts';
import { fieldRows, readCommand } from '../lists/read-command.ts';

export const make = () =>
  noun({
    name: 'server',
    about: 'Shows how a running server is doing: health, queue, workers, settings, metrics.',
    verbs: [health(), overview(), queue(), history(), settings(), metrics(), openapi()],
    usual: 'health',
  });

interface Health {
  status: string;
  version: string;
  parts: Record<string, { status: string; detail: string | null }>;
}

const health = () =>
  readCommand<Health>({
    name: 'health',
    about: 'Shows whether every part of the server works.',
    examples: [['windrow server health --json', 'as JSON; exit code 1 when the server is down']],
    path: '/health',
    show({ status, version, parts }, { terminal }) {
      terminal.out(`${status}, version ${version}`);
      const rows = Object.entries(parts).map(([name, part]) => [name, part.status, part.detail ?? '']);
      terminal.table([['PART', 'STATE', 'DETAIL'], ...rows]);
    },
  });

interface Overview {
  attention: { severity: string; message: string }[];
  queue: object;
  workers: object;
  throughput_per_minute: number;
  dead_letters: number;
  last_hour: object;
}

const overview = () =>
  readCommand<Overview>({
    name: 'overview',
    about: 'Shows what needs attention, and the numbers of now.',
    examples: [['windrow server overview', 'the first page of the dashboard']],
    path: '/overview',
    show({ attention, queue, workers, throughput_per_minute, dead_letters, last_hour }, { terminal }) {
      for (const { severity, message } of attention)
        terminal.out(`${terminal.style(severity === 'bad' ? 'red' : 'yellow', severity)} ${message}`);
      if (attention.length === 0) terminal.out('Nothing needs attention.');
      terminal.table(fieldRows({ queue, workers, throughput_per_minute, dead_letters, last_hour }));
    },
  });

interface QueueStatus {
  data: {
    queues: Record<string, Record<string, number | null>>;
    throughput_per_minute: number;
    workers: {
      worker: string;
      lanes: string[];
      slots: number;
      busy: number;
      last_seen_at: string;
      draining: boolean;
    }[];
  };
}

const queue = () =>
  readCommand<QueueStatus>({
    name: 'queue',
    about: 'Shows what waits in each lane, and the workers.',
    examples: [['windrow server queue', 'waiting, active, delayed and failed tasks']],
    path: '/jobs/queue/status',
    show({ data }, { terminal }) {
      const names = ['waiting', 'active', 'delayed', 'failed', 'paused', 'oldest_waiting_seconds'];
      const rows = Object.entries(data.queues).map(([lane, counts]) => [
        lane,
        ...names.map((name) => String(counts[name] ?? '')),
      ]);
      terminal.table([['LANE', 'WAITING', 'ACTIVE', 'DELAYED', 'FAILED', 'PAUSED', 'OLDEST S'], ...rows]);
      if (data.workers.length === 0) return terminal.say('No worker is running. Start one with: windrow worker');
      const workers = data.workers.map((one) => [
        one.worker,
        one.lanes.join(','),
        `${one.busy}/${one.slots}`,
        one.draining ? 'draining' : 'working',
        timeText(one.last_seen_at),
      ]);
      terminal.table([['WORKER', 'LANES', 'BUSY', 'STATE', 'LAST SEEN (UTC)'], ...workers]);
    },
  });

interface History {
  points: {
    at: string;
    waiting: number;
    active: number;
    delayed: number;
    held: number;
    oldest_waiting_seconds: number | null;
  }[];
}

const history = () =>
  readCommand<History>({
    name: 'history',
    about: 'Shows how long the queue was over the last hours.',
    examples: [['windrow server history --hours 6', 'and how old its oldest task was']],
    path: '/jobs/queue/history',
    flags: [{ flags: '--hours <number>', about: 'how far back', read: wholeNumber(1, 48) }],
    show({ points }, { terminal }) {
      const rows = points.map(({ at, waiting, active, delayed, held, oldest_waiting_seconds: oldest }) => [
        timeText(at),
        ...[waiting, active, delayed, held, oldest ?? ''].map(String),
      ]);
      terminal.table([['AT (UTC)', 'WAITING', 'ACTIVE', 'DELAYED', 'HELD', 'OLDEST S'], ...rows]);
    },
  });

interface Settings {
  topics: { topic: string; settings: { name: string; value: string | null; is_default: boolean; about: string }[] }[];
}

const settings = () =>
  readCommand<Settings>({
    name: 'settings',
    about: 'Lists the settings that the server uses. Secrets are masked.',
    examples: [['windrow server settings', '`windrow config` shows those of this machine']],
    path: '/settings',
    show({ topics }, { terminal }) {
      const rows = topics.flatMap(({ settings: all }) =>
        all.map((one) => [one.name, one.value ?? '–', one.is_default ? '' : 'changed', one.about]),
      );
      terminal.table([['SETTING', 'VALUE', '', 'ABOUT'], ...rows]);
    },
  });

const metrics = () =>
  clientCommand({
    name: 'metrics',
    about: 'Prints the metrics for Prometheus.',
    examples: [['windrow server metrics | grep windrow_runs', 'some of them']],
  }).action(async (options: ClientOptions) => {
    const { client, terminal } = await openClient(options);
    if (options.json) terminal.document({ metrics: (await bytesOf(client, '/metrics')).toString('utf8') });
    else await pipeline(await client.stream('/metrics', '*/*'), process.stdout, { end: false });
  });

const openapi = () =>
  clientCommand({
    name: 'openapi',
    about: 'Prints the OpenAPI document.',
    examples: [['windrow server openapi > openapi.json', 'for generators of clients']],
  }).action(async (options: ClientOptions) => {
    const { client } = await openClient(options);
    await pipeline(await client.stream('/openapi.json', 'application/json'), process.stdout, { end: false });
  });
