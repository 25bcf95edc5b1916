// `windrow sandbox`: the pretend web as a server of its own.
import { startSandbox } from '../sandbox/server.ts';
import { command, takesSettings } from './command.ts';
import { wholeNumber } from './options.ts';
import { serve } from './serve.ts';

export const make = () =>
  takesSettings(
    command({
      name: 'sandbox',
      about: 'Serves a pretend web: news sites with thousands of made-up articles, and faults to order.',
      examples: [
        ['windrow sandbox --sandbox-port 9100', 'then WEB_HOST_MAP="*=http://127.0.0.1:9100" windrow up'],
        ['curl -s http://127.0.0.1:9100/', 'lists its sites and faults'],
      ],
    })
      .option('-p, --sandbox-port <number>', 'port to listen on; 0 takes any free one', wholeNumber(0, 65_535), 9_100)
      .option('--seed <number>', 'another seed is another world', wholeNumber(0, 2 ** 31), 0),
    ['logLevel'],
  ).action((options: Record<string, unknown> & { sandboxPort: number; seed: number }) =>
    serve({ options, name: 'sandbox' }, async ({ life, log, terminal }) => {
      const sandbox = await startSandbox({ port: options.sandboxPort, seed: options.seed });
      life.own('sandbox', () => sandbox.close());
      log.info('process.started', { role: 'sandbox', origin: sandbox.origin });
      if (terminal.isWatched)
        terminal.say(`Pretend web on ${sandbox.origin}; use it with WEB_HOST_MAP='*=${sandbox.origin}'`);
    }),
  );
