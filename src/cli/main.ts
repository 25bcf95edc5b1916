// Entry point of the command line. It loads as little as possible: a lean worker never loads the code that parses command lines.
import { reexecWithWarmCache, takeReexecState } from './process/lean.ts';

// `windrow runs | head`: the reader has closed the pipe, which is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const handed = takeReexecState();
if (handed) {
  const { loadWorker, runWorkerProcess } = await import('./process/worker-process.ts');
  await loadWorker();
  reexecWithWarmCache(handed);
  await runWorkerProcess(handed.options);
} else {
  const { run } = await import('./command-line.ts');
  process.exitCode = await run(process.argv.slice(2));
}
