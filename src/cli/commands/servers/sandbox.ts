// `windrow sandbox`: the pretend web as a server of its own.
import { startSandbox } from '../../../sandbox/server.ts';
import { command } from '../../command.ts';
import { serve } from '../../process/serve.ts';
import { wholeNumber } from '../../terminal/options.ts';

export const make = () =>
  command({
    name: 'sandbox',
    about: 'Serves a pretend web: news sites with thousands of made-up articles, and faults to order.',
    examples: [
      ['windrow sandbox', "then WEB_HOST_MAP='*=http://127.0.0.1:9100' windrow up"],
      ['windrow sandbox --port 0 --seed 7', 'on any free port, another world'],
    ],
    notes:
      'Its own page, http://127.0.0.1:9100/, lists the sites and the faults. `windrow up --sandbox` brings one along.',
  })
    .option('-p, --port <number>', 'port to listen on; 0 takes any free one', wholeNumber(0, 65_535), 9_100)
    .option('--seed <number>', 'another seed is another world', wholeNumber(0, 2 ** 31), 0)
    .action((options: Record<string, unknown> & { port: number; seed: number }) =>
      serve({ options, name: 'sandbox' }, async ({ life, log, terminal }) => {
        const sandbox = await startSandbox({ port: options.port, seed: options.seed });
        life.own('sandbox', () => sandbox.close());
        log.info('process.started', { role: 'sandbox', origin: sandbox.origin });
        if (terminal.isWatched)
          terminal.say(`Pretend web on ${sandbox.origin}; use it with WEB_HOST_MAP='*=${sandbox.origin}'`);
      }),
    );
