// `windrow dead-letters show`: one dead letter with its attempts; the page and the screenshot of an attempt.
import { writeFile } from 'node:fs/promises';
import { AppError } from '../../../model/errors.ts';
import { type Client, clientCommand } from '../../client/client.ts';
import { bytesOf, printPage } from '../../client/page.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { type Terminal, timeText } from '../../terminal/terminal.ts';
import { type ClientOptions, openClient } from '../lists/about-one.ts';
import { inputText, type OneLetter, pathOf } from './filter.ts';

type ShowOptions = ClientOptions & { page?: boolean; screenshot?: string; attempt?: number };
type Evidence = OneLetter['evidence'][number];

export const show = () =>
  clientCommand({
    name: 'show',
    about: 'Shows a dead letter: its input, its attempts and their errors, and the pages they saw.',
    examples: [
      ['windrow dead-letters show 019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071', 'an id from `windrow dead-letters list`'],
      ['windrow dead-letters show 019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071 --page > page.html', 'save the page'],
      ['windrow dead-letters show 019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071 --screenshot page.png', 'save the screenshot'],
    ],
  })
    .argument('<id>', 'task id')
    .option('--page', 'print the page that the last attempt saw')
    .option('--screenshot <file>', 'write the screenshot of that page to a file')
    .option('--attempt <number>', 'page and screenshot of this attempt', wholeNumber(1, 1_000_000))
    .action(async (id: string, options: ShowOptions) => {
      const { client, terminal } = await openClient(options);
      const letter = await client.get<OneLetter>(pathOf(id));
      if (options.screenshot !== undefined) await saveScreenshot(client, terminal, letter, options.screenshot, options);
      if (options.page) return printPage(client, evidenceWith('page', letter, options));
      if (options.screenshot !== undefined) return;
      if (options.json) return terminal.document(letter);
      showLetter(terminal, letter);
    });

function showLetter(terminal: Terminal, letter: OneLetter): void {
  terminal.out(`${letter.source}: ${inputText(letter.params)}`);
  terminal.out(`  task ${letter.task_id} of run ${letter.run_id}, failed for good ${timeText(letter.died_at)} UTC`);
  if (letter.edited_from) terminal.out(`  edited, before: ${inputText(letter.edited_from)}`);
  for (const one of letter.tried) {
    const where = one.worker === null ? '' : ` on ${one.worker}`;
    const cause = one.error.code ?? one.error.category;
    terminal.out(`  attempt ${one.attempt}${where}, ${timeText(one.ended_at)}, ${one.requests} requests`);
    terminal.out(`    ${terminal.style('red', `${cause}: ${one.error.message}`)}`);
    const saw = letter.evidence.find((evidence) => evidence.attempt === one.attempt);
    if (saw) showEvidence(terminal, saw);
  }
  if (letter.evidence.length === 0) terminal.say('No page was saved: the attempts saw none, or it was not kept.');
}

function showEvidence(terminal: Terminal, { page, screenshot, status, url, left_out: leftOut }: Evidence): void {
  terminal.out(`    saw ${url} (status ${status})`);
  if (page) terminal.out(`    page: ${page.chars} characters, --page`);
  if (screenshot) terminal.out(`    screenshot: ${Math.ceil(screenshot.bytes / 1024)} KB, --screenshot <file>`);
  for (const line of leftOut) terminal.out(`    ${line}`);
}

/** Of the attempt that was asked for, or of the last one that has it. */
function evidenceWith(part: 'page' | 'screenshot', letter: OneLetter, { attempt }: ShowOptions): string {
  const found = letter.evidence.findLast(
    (one) => one[part] !== null && (attempt === undefined || one.attempt === attempt),
  );
  const path = found?.[part]?.path;
  if (path !== undefined) return path;
  const of = attempt === undefined ? `dead letter ${letter.task_id}` : `attempt ${attempt}`;
  const why = letter.evidence.flatMap((one) => one.left_out).join(' ');
  throw new AppError('unknown_id', `No ${part} of ${of} was saved.${why ? ` ${why}` : ''}`);
}

async function saveScreenshot(
  client: Client,
  terminal: Terminal,
  letter: OneLetter,
  file: string,
  options: ShowOptions,
): Promise<void> {
  const bytes = await bytesOf(client, evidenceWith('screenshot', letter, options));
  await writeFile(file, bytes).catch((error: NodeJS.ErrnoException) => {
    throw new AppError('invalid_usage', `Cannot write ${file}: ${error.code ?? error.message}.`, { cause: error });
  });
  if (options.json && !options.page) terminal.document({ written: file, bytes: bytes.length });
  else terminal.say(`Wrote ${file} (${Math.ceil(bytes.length / 1024)} KB).`);
}
