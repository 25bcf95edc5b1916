// `windrow replay <run, task or file…>`: runs sources again on archived pages, without any request, and shows what they read now against what they read then.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { splitSetting } from '../../../compose/web.ts';
import type { Config } from '../../../config.ts';
import { AppError } from '../../../model/errors.ts';
import type { ItemDifference } from '../../../model/item/differences.ts';
import { createRegistry } from '../../../source-modules/registry.ts';
import { readArchive } from '../../../web/archive/read-archive.ts';
import { command, takesSettings } from '../../command.ts';
import { loadEarlyModules } from '../../settings/early-modules.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
import { type ReplayedTask, replayTask } from './replay-task.ts';

const SHOWN_CHARS = 60;
/** Of each list of a task; `--json` has all. */
const SHOWN = 20;

export const make = () =>
  takesSettings(
    command({
      name: 'replay',
      about: 'Runs sources again on archived pages, without any request, and shows what they would read otherwise.',
      examples: [
        ['windrow replay manual_a1b2c3d4e5f60718', 'all tasks of a run, from the archive in WINDROW_HOME'],
        ['windrow replay 0199a0de-0000-7000-8000-000000000001', 'one task'],
        ['windrow replay pages.warc.gz --json', 'all tasks of WARC files, as one document'],
      ],
      notes:
        'Workers archive pages while WEB_ARCHIVE is on, each on its own machine. A task that several runs share is archived under the run that made it; `windrow run ID` names the tasks. Pages that the archive does not have are named. Exit code 1 when a task could not be read any more or lacks pages.',
    }).argument('<what...>', 'id of a run or a task, or WARC files'),
    ['home'],
  ).action(run);

async function run(what: string[], options: Record<string, unknown>): Promise<void> {
  const terminal = createTerminal({ json: Boolean(options.json) });
  const say = (line: string): void => terminal.say(line);
  const config = loadConfig({
    flags: flagsFrom(options),
    file: options.config as string | undefined,
    warn: (line) => say(`warning: ${line}`),
  });
  const isId = what.length === 1 && !existsSync(what[0]!);
  const files = isId ? await archiveFiles(config) : what.map((file) => resolve(file));
  const { tasks, robots } = await readArchive(files, isId ? what[0] : undefined);
  if (tasks.length === 0)
    throw new AppError(
      'unknown_id',
      isId
        ? `The archive in ${config.home} has nothing of ${what[0]}. Was WEB_ARCHIVE on, and did a worker of this machine run it? What another run had asked for before is archived under that run.`
        : 'The files have no pages.',
    );
  const registry = createRegistry(await loadEarlyModules(process.argv, say));
  const settings = new Map(config.sourceSettings?.map(splitSetting));
  const replayed: ReplayedTask[] = [];
  let unknown = 0;
  for (const task of tasks) {
    const found = await replayTask(task, { registry, robots, settings });
    if (found.length === 0) unknown += 1;
    for (const one of found) {
      replayed.push(one);
      if (!options.json) show(terminal, one);
    }
  }
  if (options.json) terminal.document({ tasks: replayed });
  if (unknown > 0)
    say(`${unknown} tasks were archived by a version that did not note what was asked of them, and are left out`);
  if (!options.json) say(summaryOf(replayed));
  if (replayed.some(isBad)) process.exitCode = 1;
}

async function archiveFiles({ home }: Config): Promise<string[]> {
  const folder = join(resolve(home), 'archive');
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0)
    throw new AppError(
      'unknown_id',
      `There is no archive in ${folder}. Start the workers with WEB_ARCHIVE=on, and use their WINDROW_HOME here.`,
    );
  return names
    .filter((name) => name.includes('.warc'))
    .sort()
    .map((name) => join(folder, name));
}

const isBad = ({ error, missing }: ReplayedTask): boolean => error !== null || missing.length > 0;

function show(terminal: Terminal, task: ReplayedTask): void {
  const { source, params, before, now, differences } = task;
  const counts = before === null ? `${now} items` : `${before} items then, ${now} now`;
  terminal.out(
    `${source} ${short(params)}: ${counts}${before !== null && differences.length === 0 && !isBad(task) ? ', the same' : ''}`,
  );
  if (task.error !== null) terminal.out(`  ${terminal.style('red', task.error)}`);
  few(terminal, task.missing, (request) => `  not in the archive: ${request}`);
  few(terminal, task.skipped, ({ id, reason }) => `  row ${id ?? ''} cannot be read: ${reason}`);
  for (const warning of task.warnings) terminal.out(`  ${warning}`);
  few(terminal, differences, (one) => differenceLines(terminal, one));
}

function few<T>(terminal: Terminal, all: readonly T[], line: (one: T) => string): void {
  for (const one of all.slice(0, SHOWN)) terminal.out(line(one));
  if (all.length > SHOWN) terminal.out(`  … and ${all.length - SHOWN} more (--json shows all)`);
}

function differenceLines(terminal: Terminal, { id, what, fields }: ItemDifference): string {
  if (what === 'gone') return `  ${terminal.style('red', `- ${id}`)}`;
  if (what === 'new') return `  ${terminal.style('green', `+ ${id}`)}`;
  return [
    `  ${id}`,
    ...fields.map(
      ({ field, before, now }) =>
        `    ${field}: ${terminal.style('red', short(before))} → ${terminal.style('green', short(now))}`,
    ),
  ].join('\n');
}

function summaryOf(tasks: readonly ReplayedTask[]): string {
  const same = tasks.filter((task) => task.before !== null && task.differences.length === 0 && !isBad(task)).length;
  const compared = tasks.filter((task) => task.before !== null && !isBad(task)).length;
  const bad = tasks.filter(isBad).length;
  const alone = tasks.length - compared - bad;
  return [
    `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`,
    `${same} the same`,
    `${compared - same} different`,
    ...(alone > 0 ? [`${alone} read without a comparison`] : []),
    ...(bad > 0 ? [`${bad} that failed or lack pages`] : []),
  ].join(', ');
}

function short(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}… (${text.length} characters)` : text;
}
