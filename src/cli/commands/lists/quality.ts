// `windrow quality`: how good the results of runs were, and decisions about what is kept apart.
import { Command, Option } from 'commander';
import type { CheckView } from '../../../api/quality/schemas.ts';
import { AppError } from '../../../model/errors.ts';
import { QUALITY_VERDICTS } from '../../../model/quality/judge.ts';
import { clientCommand } from '../../client/client.ts';
import { printPage } from '../../client/page.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { type Terminal, timeText } from '../../terminal/terminal.ts';
import { aboutOne, type ClientOptions, openClient } from './about-one.ts';

type ListOptions = ClientOptions & { limit: number; source?: string; verdict?: string; held?: boolean };

const one = aboutOne({ command: 'quality', noun: 'run', example: 'manual_a1b2c3d4e5f60718' });

export const make = () =>
  // Without options of its own: it would take those of its commands.
  new Command('quality')
    .description(
      'Shows how good the results of runs were next to the runs before, and decides about results that are kept apart.',
    )
    .helpOption('-h, --help', 'show this help')
    .addCommand(list())
    .addCommand(
      one(
        'show',
        'Shows the results of a run by source, and what was found.',
        async ({ client, terminal, options, path }) => {
          const found = await client.get<{ run_id: string; verdict: string | null; checks: CheckView[] }>(path);
          if (options.page) {
            const saved = found.checks.flatMap((check) => check.evidence).find((one) => one.page !== null);
            if (!saved?.page) throw new AppError('unknown_id', `No page of the results of ${found.run_id} was saved.`);
            return printPage(client, saved.page.path);
          }
          if (options.json) return terminal.document(found);
          if (found.verdict === null)
            return terminal.say('Nothing of this run was judged: it has not ended, or it has fewer than ten articles.');
          for (const check of found.checks) showCheck(terminal, check);
        },
      ).option('--page', 'print the saved page of results that look wrong'),
    )
    .addCommand(
      decide('accept', 'Stores results that are kept apart. Later runs are compared with this one.', 'stored'),
    )
    .addCommand(
      decide('reject', 'Deletes results that are kept apart. Later runs are not compared with this one.', 'deleted'),
    );

const list = () =>
  clientCommand({
    name: 'list',
    about: 'Lists the results of runs by source, newest first.',
    examples: [['windrow quality list --source indeed --verdict suspect', 'what looks wrong of one source']],
  })
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 1_000), 20)
    .option('-s, --source <name>', 'only of this source')
    .addOption(new Option('-v, --verdict <verdict>', 'only with this verdict').choices([...QUALITY_VERDICTS]))
    .option('--held', 'only those whose items are kept apart')
    .action(async (options: ListOptions) => {
      const { client, terminal } = await openClient(options);
      const query = new URLSearchParams({
        limit: String(options.limit),
        ...(options.source ? { source: options.source } : {}),
        ...(options.verdict ? { verdict: options.verdict } : {}),
        ...(options.held ? { state: 'held' } : {}),
      });
      const found = await client.get<{ checks: CheckView[]; next_cursor: string | null }>(`/quality?${query}`);
      if (options.json) return terminal.document(found);
      if (found.checks.length === 0) return terminal.say('No results match.');
      const rows = found.checks.map((check) => [
        check.run_id,
        check.source,
        check.verdict.replaceAll('_', ' '),
        check.state ?? '',
        String(check.measure.items),
        timeText(check.checked_at),
        check.findings[0]?.message ?? '',
      ]);
      const head = ['RUN', 'SOURCE', 'VERDICT', 'STATE', 'ITEMS', 'CHECKED (UTC)', 'FOUND'];
      terminal.table([head, ...rows]);
      if (found.next_cursor !== null) terminal.say('There are more. Show them with --limit.');
    });

const decide = (name: 'accept' | 'reject', about: string, done: string) =>
  one(name, about, async ({ client, terminal, options, path }) => {
    const decided = await client.send<{ checks: number; items: number }>('POST', `${path}/${name}`);
    if (options.json) return terminal.document(decided);
    terminal.say(
      decided.checks === 0
        ? 'Nothing to decide: no results of this run are suspect.'
        : `${decided.items} items ${done}.`,
    );
  });

function showCheck(terminal: Terminal, check: CheckView): void {
  const { measure } = check;
  const about = check.about === null ? '' : ` (${check.about})`;
  const state = check.state === null ? '' : `, ${check.state}`;
  terminal.out(`${check.source}${about}: ${check.verdict.replaceAll('_', ' ')}${state}, ${measure.items} items`);
  for (const finding of check.findings)
    terminal.out(`  ${finding.verdict === 'suspect' ? 'suspect' : 'warning'}: ${finding.message}`);
  const shares = Object.entries(measure.completeness).map(([field, share]) => `${field} ${Math.round(share * 100)} %`);
  if (shares.length > 0) terminal.out(`  filled: ${shares.join(', ')}`);
  for (const [name, { rows, found }] of Object.entries(measure.selectors))
    terminal.out(`  found by ${name}: ${found} of ${rows} rows`);
  for (const { url, page } of check.evidence)
    if (page) terminal.out(`  page: ${url}, ${page.chars} characters, --page`);
}
