// `windrow dead-letters`: tasks that ran out of attempts. What went wrong, what the page looked like, and what becomes of them.
import { Command } from 'commander';
import { clientCommand } from '../../client/client.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { timeText } from '../../terminal/terminal.ts';
import { openClient } from '../lists/about-one.ts';
import { type FilterOptions, filterOf, type Group, inputText, type Letter, takesFilter } from './filter.ts';
import { remove, retry } from './retry.ts';
import { show } from './show.ts';

export const make = () =>
  new Command('dead-letters')
    .description('Shows tasks that ran out of attempts, with their errors and pages, and retries or deletes them.')
    .helpOption('-h, --help', 'show this help')
    .addCommand(list())
    .addCommand(groups())
    .addCommand(show())
    .addCommand(retry())
    .addCommand(remove());

const list = () =>
  takesFilter(
    clientCommand({
      name: 'list',
      about: 'Lists dead letters, newest first.',
      examples: [['windrow dead-letters list --source article --code captcha', 'those of one cause']],
    }),
  )
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 1_000), 20)
    .action(async (options: FilterOptions & { limit: number }) => {
      const { client, terminal } = await openClient(options);
      const query = new URLSearchParams({ ...filterOf(options), limit: String(options.limit) });
      const found = await client.get<{ dead_letters: Letter[]; next_cursor: string | null }>(`/dead-letters?${query}`);
      if (options.json) return terminal.document(found);
      if (found.dead_letters.length === 0) return terminal.say('No dead letters match.');
      const rows = found.dead_letters.map((letter) => [
        letter.task_id,
        letter.source,
        letter.error?.code ?? letter.error?.category ?? '',
        String(letter.attempts),
        timeText(letter.died_at),
        inputText(letter.params),
      ]);
      terminal.table([['TASK', 'SOURCE', 'CAUSE', 'TRIES', 'FAILED (UTC)', 'INPUT'], ...rows]);
      if (found.next_cursor !== null) terminal.say('There are more. Show them with --limit, or narrow them down.');
    });

const groups = () =>
  clientCommand({
    name: 'groups',
    about: 'Lists dead letters by source and cause, the largest group first.',
    examples: [['windrow dead-letters groups --json', 'with a sample of each']],
  })
    .option('-s, --source <name>', 'only of this source')
    .option('-c, --code <code>', 'only with this cause')
    .option('--category <category>', 'only of this category of errors')
    .action(async (options: FilterOptions) => {
      const { client, terminal } = await openClient(options);
      const found = await client.get<{ total: number; groups: Group[] }>(
        `/dead-letters/groups?${new URLSearchParams(filterOf(options))}`,
      );
      if (options.json) return terminal.document(found);
      if (found.groups.length === 0) return terminal.say('No dead letters match.');
      const rows = found.groups.map((group) => [
        String(group.count),
        group.source,
        group.code,
        timeText(group.last_died_at),
        group.evidence ? 'yes' : 'no',
        group.sample?.task_id ?? '',
        group.sample?.error?.message ?? '',
      ]);
      terminal.table([['COUNT', 'SOURCE', 'CAUSE', 'LAST (UTC)', 'PAGE', 'SAMPLE', 'ERROR'], ...rows]);
      terminal.say(`${found.total} dead letters. Look at one with: windrow dead-letters show <sample>`);
    });
