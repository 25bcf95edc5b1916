// `windrow dead-letters retry` and `delete`: one, those of a filter, or all, in steps as the API does them.
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { AppError } from '../../../model/errors.ts';
import { type Client, clientCommand } from '../../client/client.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { openClient } from '../lists/about-one.ts';
import { type FilterOptions, pathOf, takesFilter, whichOf } from './filter.ts';

type RetryOptions = FilterOptions & { set?: string[]; dryRun?: boolean };

interface DryRun {
  matching: number;
  task_ids: string[];
}
interface Retried {
  job_id: string;
  retried: number;
  has_more: boolean;
  died_before?: string;
}
interface Removed {
  removed: number;
  has_more: boolean;
}

const takesWhich = (made: Command): Command =>
  takesFilter(made.argument('[id]', 'task id, for one'))
    .option('--all', 'all of them')
    .option('--dry-run', 'only say how many and which');

export const retry = () =>
  takesWhich(
    clientCommand({
      name: 'retry',
      about: 'Retries dead letters as new runs: one (with edited input, if you like), those of a filter, or all.',
      examples: [
        ['windrow dead-letters retry 019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071', 'one'],
        [
          'windrow dead-letters retry 019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071 --set url=https://example.com/moved',
          'one, with another URL',
        ],
        ['windrow dead-letters retry --source indeed --code captcha --dry-run', 'how many that would be'],
        ['windrow dead-letters retry --all', 'all'],
      ],
    }),
  )
    .option('--set <name=value...>', 'replace fields of the input: text, or JSON; `name=null` removes one')
    .action(async (id: string | undefined, options: RetryOptions) => {
      const which = whichOf(id, options);
      const params = changesOf(options.set ?? []);
      if (params && 'filter' in which)
        throw new AppError('invalid_usage', '--set needs the id of one dead letter: its input is edited.');
      const { client, terminal } = await openClient(options);
      if ('id' in which) {
        const path = `${pathOf(which.id)}/retry`;
        if (options.dryRun) {
          const dry = await client.send<DryRun>('POST', path, { ...(params && { params }), dry_run: true });
          return showDryRun(terminal, options, dry, 'retried');
        }
        return showRetried(terminal, options, [await client.submit<Retried>(path, params ? { params } : {})]);
      }
      if (options.dryRun) {
        const dry = await client.send<DryRun>('POST', '/dead-letters/retry', { ...which.filter, dry_run: true });
        return showDryRun(terminal, options, dry, 'retried');
      }
      showRetried(terminal, options, await retryAll(client, terminal, which.filter));
    });

export const remove = () =>
  takesWhich(
    clientCommand({
      name: 'delete',
      about: 'Deletes dead letters: one, those of a filter, or all.',
      examples: [
        ['windrow dead-letters delete 019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071', 'one'],
        ['windrow dead-letters delete --source article --code not_found --dry-run', 'how many that would be'],
      ],
    }),
  ).action(async (id: string | undefined, options: FilterOptions & { dryRun?: boolean }) => {
    const which = whichOf(id, options);
    const { client, terminal } = await openClient(options);
    if ('id' in which) {
      if (options.dryRun) {
        const letter = await client.get<{ task_id: string }>(pathOf(which.id));
        return showDryRun(terminal, options, { matching: 1, task_ids: [letter.task_id] }, 'deleted');
      }
      return showRemoved(terminal, options, (await client.send<Removed>('DELETE', pathOf(which.id))).removed);
    }
    const query = (more: object = {}) =>
      new URLSearchParams(Object.entries({ ...which.filter, ...more }).map(([name, value]) => [name, String(value)]));
    if (options.dryRun) {
      const dry = await client.send<DryRun>('DELETE', `/dead-letters?${query({ dry_run: 1 })}`);
      return showDryRun(terminal, options, dry, 'deleted');
    }
    let removed = 0;
    for (let hasMore = true; hasMore; ) {
      const step = await client.send<Removed>('DELETE', `/dead-letters?${query()}`);
      removed += step.removed;
      hasMore = step.has_more && step.removed > 0;
      terminal.progress(`${removed} deleted`);
    }
    terminal.progress(null);
    showRemoved(terminal, options, removed);
  });

/** Step by step until none is left; what fails again meanwhile is not retried twice. */
async function retryAll(
  client: Client,
  terminal: Terminal,
  filter: Record<string, string | boolean>,
): Promise<Retried[]> {
  const all: Retried[] = [];
  let diedBefore: string | undefined;
  for (;;) {
    const body = { ...filter, ...(diedBefore === undefined ? {} : { died_before: diedBefore }) };
    // Each step is one run however often it is sent.
    const step = await client.submit<Retried>('/dead-letters/retry', body, randomUUID()).catch((error: unknown) => {
      // Somebody else was quicker, or there are none.
      if (error instanceof AppError && error.code === 'unknown_id') return null;
      throw error;
    });
    if (step === null) return all;
    all.push(step);
    terminal.progress(`${all.reduce((sum, one) => sum + one.retried, 0)} retried`);
    if (!step.has_more) {
      terminal.progress(null);
      return all;
    }
    diedBefore = step.died_before ?? diedBefore;
  }
}

/** `url=https://…`, `limit=50`, `tags=["a"]`, `proxy=null`. */
function changesOf(entries: readonly string[]): Record<string, unknown> | null {
  if (entries.length === 0) return null;
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      if (at < 1) throw new AppError('invalid_usage', `--set ${entry}: write it as name=value.`);
      return [entry.slice(0, at), fieldValue(entry.slice(at + 1))];
    }),
  );
}

function fieldValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function showDryRun(
  terminal: Terminal,
  options: FilterOptions,
  { matching, task_ids: ids }: DryRun,
  done: string,
): void {
  if (options.json) terminal.document({ dry_run: true, matching, task_ids: ids });
  else {
    for (const id of ids) terminal.out(id);
    terminal.say(`${matching} ${matching === 1 ? 'dead letter' : 'dead letters'} would be ${done}.`);
  }
}

function showRetried(terminal: Terminal, options: FilterOptions, all: Retried[]): void {
  const retried = all.reduce((sum, one) => sum + one.retried, 0);
  if (options.json) {
    terminal.document({ retried, run_ids: all.map((one) => one.job_id) });
    return;
  }
  for (const { job_id: id } of all) terminal.out(id);
  terminal.say(
    retried === 0 ? 'No dead letters match.' : `${retried} queued again. Follow them with: windrow run <run>`,
  );
}

function showRemoved(terminal: Terminal, options: FilterOptions, removed: number): void {
  if (options.json) terminal.document({ removed });
  else terminal.say(removed === 0 ? 'No dead letters match.' : `${removed} deleted.`);
}
