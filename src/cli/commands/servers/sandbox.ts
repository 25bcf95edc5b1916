// `windrow sandbox`: the sandbox web as a separate server.
import { startSandbox } from '../../../sandbox/server.ts';
import { command } from '../../command.ts';
import { serve } from '../../process/serve.ts';
import { wholeNumber } from '../../terminal/options.ts';

export const make = () =>
  command({
    name: 'sandbox',
    about: 'Serves a sandbox web: news sites, job sites and shops with generated content and faults.',
    examples: [
      ['windrow sandbox', "then WEB_HOST_MAP='*=http://127.0.0.1:9100' windrow up"],
      ['windrow sandbox --port 0 --seed 7', 'on any free port, with other content'],
    ],
    notes: 'http://127.0.0.1:9100/ lists the sites and the faults. `windrow up --sandbox` starts its own sandbox.',
  })
    .option('-p, --port <number>', 'port to listen on. 0 means any free port', wholeNumber(0, 65_535), 9_100)
    .option('--seed <number>', 'another seed generates other content', wholeNumber(0, 2 ** 31), 0)
    .action((options: Record<string, unknown> & { port: number; seed: number }) =>
      serve({ options, name: 'sandbox' }, async ({ life, log, terminal }) => {
        const sandbox = await startSandbox({ port: options.port, seed: options.seed });
        life.own('sandbox', () => sandbox.close());
        log.info('process.started', { role: 'sandbox', origin: sandbox.origin });
        if (terminal.isWatched)
          terminal.say(`Sandbox web on ${sandbox.origin}. Use it with WEB_HOST_MAP='*=${sandbox.origin}'`);
      }),
    );
