// Finds the command, loads only that one, and turns its result into an exit code.
import { Command, CommanderError } from 'commander';
import { versionLine } from '../compose/process/version.ts';
import { AppError } from '../model/errors.ts';
import { COMMANDS } from './commands.ts';
import { reportFailure } from './terminal/failure.ts';

const HELP = `
Start here:
  windrow demo              a demo in half a minute, without the internet
  windrow up                API, dashboard, workers and database in one process
  windrow scrape article https://example.com/story

Exit codes: 0 success, 1 failure, 2 wrong usage or configuration, 130 interrupted.
\`windrow <command> --help\` shows examples.`;

export async function run(argv: string[]): Promise<number> {
  const isJson = argv.includes('--json');
  let executed: Command | undefined;
  let wanted: Command | undefined;
  try {
    const program = new Command('windrow')
      .description('Scrapes articles, job postings and products from the web, on one laptop or many machines.')
      .version(versionLine(), '-V, --version', 'show the version')
      .helpOption('-h, --help', 'show this help')
      .helpCommand('help [command]', 'show the help of a command')
      .addHelpText('after', HELP);
    const words = argv.filter((word) => !word.startsWith('-'));
    const name = words[0] === 'help' ? words[1] : words[0];
    for (const [one, row] of Object.entries(COMMANDS)) {
      // The others are only names, for the help and for "Did you mean".
      if (one === name) {
        wanted = await (await row.load()).make();
        program.addCommand(wanted);
      } else program.addCommand(new Command(one).description(row.about));
    }
    endHere(program);
    program.hook('preAction', (_, action) => {
      executed = action;
    });
    if (argv.length === 0) {
      program.outputHelp();
      return 0;
    }
    await program.parseAsync(argv, { from: 'user' });
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    return reportFailure(unknownVerb(error, wanted) ?? error, isJson, executed);
  }
}

/** `windrow runs lost`: the word was given to the usual verb of the noun, and the person meant a verb. */
function unknownVerb(error: unknown, wanted: Command | undefined): AppError | null {
  if (!(error instanceof CommanderError) || error.code !== 'commander.excessArguments' || !wanted?.commands.length)
    return null;
  const verbs = wanted.commands.map((one) => one.name()).join(', ');
  return new AppError(
    'invalid_usage',
    `${error.message.replace(/^error: /, '')} Commands of ${wanted.name()}: ${verbs}.`,
  );
}

/** No command or subcommand exits or prints an error itself: that is done in one place. */
function endHere(one: Command): void {
  one.exitOverride().configureOutput({ outputError: () => {} });
  for (const inner of one.commands) endHere(inner);
}
