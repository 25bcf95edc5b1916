// `windrow evidence …`: pages and screenshots of attempts that failed, and of results that look wrong.
import { writeFile } from 'node:fs/promises';
import type { EvidenceView } from '../../../api/evidence/schemas.ts';
import { AppError } from '../../../model/errors.ts';
import { clientCommand } from '../../client/client.ts';
import { bytesOf, printPage } from '../../client/page.ts';
import { noun } from '../../command.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { timeText } from '../../terminal/terminal.ts';
import { type ClientOptions, openClient } from '../lists/about-one.ts';
import { fieldRows, MORE, readCommand } from '../lists/read-command.ts';

const EXAMPLE = '019a1b2c-3d4e-7000-8a1b-2c3d4e5f6099';
const pathOf = (id: string): string => `/evidence/${encodeURIComponent(id)}`;

export const make = () =>
  noun({
    name: 'evidence',
    about: 'Pages and screenshots that failed attempts saw.',
    verbs: [list(), show(), page(), screenshot()],
    usual: 'list',
  });

const list = () =>
  readCommand<{ evidence: EvidenceView[]; next_cursor: string | null }>({
    name: 'list',
    about: 'Lists saved pages of failed attempts, newest first.',
    examples: [['windrow evidence list --source article --code captcha', 'those of one cause']],
    path: '/evidence',
    flags: [
      { flags: '-s, --source <name>', about: 'only of this source' },
      { flags: '-c, --code <code>', about: 'only with this cause; suspect for results that look wrong' },
      { flags: '--run <id>', about: 'only of this run', parameter: 'run_id' },
      { flags: '--task <id>', about: 'only of this task', parameter: 'task_id' },
      { flags: '-n, --limit <number>', about: 'maximum number', read: wholeNumber(1, 1_000), value: 20 },
    ],
    show(found, { terminal }) {
      if (found.evidence.length === 0) return terminal.say('No pages were saved.');
      const rows = found.evidence.map((one) => [
        one.id,
        one.source,
        one.code ?? '',
        timeText(one.captured_at),
        one.screenshot ? 'yes' : 'no',
        one.url ?? '',
      ]);
      terminal.table([['EVIDENCE', 'SOURCE', 'CAUSE', 'SAVED (UTC)', 'SCREENSHOT', 'URL'], ...rows]);
      if (found.next_cursor !== null) terminal.say(MORE);
    },
  });

const show = () =>
  readCommand<EvidenceView>({
    name: 'show',
    about: 'Shows what was saved of one attempt.',
    examples: [[`windrow evidence show ${EXAMPLE}`, 'an id from `windrow evidence list`']],
    path: '/evidence/{id}',
    arguments: { id: 'evidence id' },
    show: (evidence, { terminal }) => terminal.table(fieldRows(evidence)),
  });

const page = () =>
  clientCommand({
    name: 'page',
    about: 'Prints the saved page.',
    examples: [[`windrow evidence page ${EXAMPLE} > page.html`, 'without scripts, so that it is safe to open']],
  })
    .argument('<id>', 'evidence id')
    .action(async (id: string, options: ClientOptions) => {
      const { client, terminal } = await openClient(options);
      if (!options.json) return printPage(client, `${pathOf(id)}/page`);
      terminal.document({ page: (await bytesOf(client, `${pathOf(id)}/page`)).toString('utf8') });
    });

const screenshot = () =>
  clientCommand({
    name: 'screenshot',
    about: 'Writes the saved screenshot to a file.',
    examples: [[`windrow evidence screenshot ${EXAMPLE} page.png`, 'of an attempt in a browser']],
  })
    .argument('<id>', 'evidence id')
    .argument('<file>', 'file to write')
    .action(async (id: string, file: string, options: ClientOptions) => {
      const { client, terminal } = await openClient(options);
      const bytes = await bytesOf(client, `${pathOf(id)}/screenshot`);
      await writeFile(file, bytes).catch((error: NodeJS.ErrnoException) => {
        throw new AppError('invalid_usage', `Cannot write ${file}: ${error.code ?? error.message}.`, { cause: error });
      });
      if (options.json) terminal.document({ written: file, bytes: bytes.length });
      else terminal.say(`Wrote ${file} (${Math.ceil(bytes.length / 1024)} KB).`);
    });
