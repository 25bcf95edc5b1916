// `windrow sources …`: health of sources, details of one, pause and resume. `windrow sources indeed pause` is the same as `windrow sources pause indeed`.
import type { Command } from 'commander';
import type { SourceView } from '../../../api/sources/views.ts';
import { AppError } from '../../../model/errors.ts';
import type { ModuleProblem } from '../../../model/source/site.ts';
import { type Client, clientCommand } from '../../client/client.ts';
import { noun } from '../../command.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { openClient } from './about-one.ts';

type Period = SourceView['last_hour'];

type Options = Record<string, unknown> & { json?: boolean; all?: boolean; reason?: string };

export const make = () =>
  noun({
    name: 'sources',
    about: 'Shows the health of sources, pauses or resumes a source.',
    verbs: [
      lists(),
      named('show', 'Shows one source in detail: latency, data quality, last error.'),
      named('pause', 'Pauses a source: its tasks wait until it is resumed.').option(
        '--reason <text>',
        'reason, shown in the API and dashboard',
      ),
      named('resume', 'Resumes a source that was paused.'),
    ],
    usual: 'list',
  });

const named = (verb: 'show' | 'pause' | 'resume', about: string): Command =>
  clientCommand({ name: verb, about, examples: [[`windrow sources ${verb} indeed`, 'a name from `windrow sources`']] })
    .argument('<name>', 'source name')
    .action(async (name: string, options: Options) => {
      const { client, terminal } = await openClient(options);
      if (verb === 'show') await show(client, terminal, name, options);
      else await hold(client, terminal, name, verb, options);
    });

const lists = (): Command =>
  clientCommand({
    name: 'list',
    about: 'Lists sources and their health, those with problems first.',
    examples: [
      ['windrow sources', 'sources that were active in the last 24 hours, or have a problem'],
      ['windrow sources list --all', 'all of them'],
    ],
  })
    .argument('[name]', 'source name')
    .argument('[action]', 'pause or resume')
    .option('-a, --all', 'include sources that were idle in the last 24 hours')
    .option('--reason <text>', 'reason for the pause, shown in the API and dashboard')
    .action(async (name: string | undefined, action: string | undefined, options: Options) => {
      const { client, terminal } = await openClient(options);
      if (name === undefined) await list(client, terminal, options);
      else if (action === undefined) await show(client, terminal, name, options);
      else await hold(client, terminal, name, action, options);
    });

const percent = (share: number | null): string => (share === null ? '' : `${Math.round(share * 100)} %`);
const seconds = (time: number | null): string => (time === null ? '' : `${time.toFixed(2)} s`);

function stateText({ paused, breaker, health, waiting_reason, waiting }: SourceView): string {
  if (paused) return 'paused';
  if (waiting_reason !== null && waiting > 0) return waiting_reason;
  return breaker.state === 'closed' ? health.state : `breaker ${breaker.state.replace('_', ' ')}`;
}

/** What holds work back, then what fails, then the busiest. */
function byTrouble(a: SourceView, b: SourceView): number {
  const trouble = (one: SourceView): number =>
    one.paused || one.breaker.state !== 'closed' ? 0 : (one.last_day.success_rate ?? 1);
  return trouble(a) - trouble(b) || b.last_day.attempts - a.last_day.attempts || (a.name < b.name ? -1 : 1);
}

async function list(client: Client, terminal: Terminal, options: Options): Promise<void> {
  const found = await client.get<{ sources: SourceView[]; problems: ModuleProblem[] }>('/sources');
  if (options.json) return terminal.document(found);
  const isQuiet = (source: SourceView): boolean =>
    // Who added a source wants to see that it is there.
    source.module === null &&
    !source.paused &&
    source.breaker.state === 'closed' &&
    source.last_day.attempts + source.waiting + source.active === 0;
  const shown = options.all ? found.sources : found.sources.filter((source) => !isQuiet(source));
  const rows = shown
    .toSorted(byTrouble)
    .map((source) => [
      source.name,
      stateText(source),
      String(source.waiting),
      String(source.active),
      String(source.last_day.attempts),
      percent(source.last_day.success_rate),
      seconds(source.last_day.latency_seconds.p50),
      String(source.last_day.items),
      source.last_error?.message.slice(0, 60) ?? '',
    ]);
  const head = ['SOURCE', 'STATE', 'WAITING', 'ACTIVE', 'ATTEMPTS 24H', 'SUCCESS', 'P50', 'ITEMS', 'LAST ERROR'];
  terminal.table([head, ...rows]);
  const quiet = found.sources.length - shown.length;
  if (quiet > 0) terminal.say(`${quiet} more were idle in the last 24 hours. Show them with --all`);
  for (const { module, reason } of found.problems)
    terminal.say(`${terminal.style('red', 'not loaded')} ${module}: ${reason}`);
}

async function show(client: Client, terminal: Terminal, name: string, options: Options): Promise<void> {
  const source = await client.get<SourceView>(`/sources/${encodeURIComponent(name)}`);
  if (options.json) return terminal.document(source);
  terminal.out(`${source.name}: ${source.title}, ${source.kind}, lane ${source.lane}, ${stateText(source)}`);
  if (source.module !== null)
    terminal.out(`brought by ${source.module}, ${source.workers ?? 'unknown'} workers have it`);
  if (source.waiting_reason !== null) terminal.out(`waiting: ${source.waiting_reason}`);
  const required = new Set(source.params.required as string[] | undefined);
  const names = Object.keys(source.params.properties ?? {}).map((name) =>
    required.has(name) ? `${name} (required)` : name,
  );
  if (names.length > 0) terminal.out(`parameters: ${names.join(', ')}`);
  if (source.paused) terminal.out(`paused since ${source.paused.since}: ${source.paused.reason ?? 'no reason given'}`);
  if (source.breaker.reason) terminal.out(`breaker: ${source.breaker.reason}, until ${source.breaker.until}`);
  terminal.out(`${source.waiting} waiting, ${source.active} active`);
  const periods: [string, Period][] = [
    ['last hour', source.last_hour],
    ['last day', source.last_day],
  ];
  const rows = periods.map(([label, period]) => [
    label,
    String(period.attempts),
    percent(period.success_rate),
    String(period.retried),
    String(period.failed),
    seconds(period.latency_seconds.p50),
    seconds(period.latency_seconds.p90),
    String(period.blocks),
    String(period.captchas),
    String(period.items),
  ]);
  const head = ['', 'ATTEMPTS', 'SUCCESS', 'RETRIED', 'FAILED', 'P50', 'P90', 'BLOCKS', 'CAPTCHAS', 'ITEMS'];
  terminal.table([head, ...rows]);
  const filled = Object.entries(source.quality.filled ?? {}).map(([field, share]) => `${field} ${percent(share)}`);
  if (filled.length > 0) terminal.out(`filled in ${source.quality.items} items: ${filled.join(', ')}`);
  if (source.last_error) terminal.out(`last error ${source.last_error.at}: ${source.last_error.message}`);
}

const tasks = (count: number): string => (count === 1 ? '1 task' : `${count} tasks`);

async function hold(client: Client, terminal: Terminal, name: string, action: string, options: Options): Promise<void> {
  if (action !== 'pause' && action !== 'resume')
    throw new AppError('invalid_usage', `The action has to be pause or resume, not "${action}".`);
  const path = `/sources/${encodeURIComponent(name)}/${action}`;
  const body = action === 'pause' && options.reason !== undefined ? { reason: options.reason } : undefined;
  const held = await client.send<{ name: string; paused: boolean; tasks: number }>('POST', path, body);
  if (options.json) return terminal.document(held);
  terminal.say(
    held.paused
      ? `Paused ${held.name}: ${tasks(held.tasks)} waiting`
      : `Resumed ${held.name}: ${tasks(held.tasks)} released`,
  );
}
