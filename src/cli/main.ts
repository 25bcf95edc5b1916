// Entry point of the command line.
import { run } from './command-line.ts';

// `windrow runs | head`: the reader has closed the pipe, which is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2));
