// `windrow api`: the HTTP API. Any number may run; scraping happens in workers.
import { Option } from 'commander';
import { runApi } from '../../../compose/api.ts';
import { openPaceReader } from '../../../compose/pace.ts';
import { processName } from '../../../compose/process/name.ts';
import { openConfiguredStore } from '../../../compose/store.ts';
import { openWire } from '../../../compose/wire.ts';
import { serverCommand, takesSettings } from '../../command.ts';
import { answerToParent, runApiProcesses } from '../../process/api-processes.ts';
import { inheritedSocket } from '../../process/inherited-socket.ts';
import { childPeers, parentPeers } from '../../process/metric-peers.ts';
import { requireFreePort } from '../../process/port.ts';
import { serve } from '../../process/serve.ts';
import { wholeNumber } from '../../terminal/options.ts';

export const make = () =>
  takesSettings(
    serverCommand({
      name: 'api',
      about: 'Runs the HTTP API, WebSockets and dashboard only. Needs DATABASE_URL and REDIS_URL.',
      examples: [
        ['DATABASE_URL=postgres://… REDIS_URL=redis://… windrow api', 'reachable from this machine only'],
        ['windrow api --processes 2', 'two processes on one port, for twice the connections'],
        [
          'API_KEYS_FILE=/run/secrets/keys windrow api --host 0.0.0.0',
          'reachable from other machines, with an API key',
        ],
      ],
    })
      .option('--processes <number>', 'API processes on the same port', wholeNumber(1, 64), 1)
      .addOption(new Option('--share-port', 'let other processes listen on the same port').hideHelp()),
    ['host', 'port', 'apiRateLimit', 'logLevel'],
  ).action((options: Record<string, unknown> & { processes: number; sharePort?: boolean }) =>
    serve(
      { options, needs: ['databaseUrl', 'redisUrl'], isListening: true, name: processName('api') },
      async (role) => {
        const sharesPort = options.processes > 1 || Boolean(options.sharePort);
        const socket = inheritedSocket();
        if (socket === null) await requireFreePort(role.config, sharesPort);
        const store = await openConfiguredStore(role);
        const peers = parentPeers();
        const shared = sharesPort ? { sharesPort, peers: (options.sharePort && childPeers()) || peers } : {};
        const room = { pace: await openPaceReader(role), socket, ...shared };
        const url = await runApi(role, store, await openWire(role), room);
        await runApiProcesses(role, { count: options.processes - 1, url, options, socket, peers });
        answerToParent(role);
        role.log.info('process.started', { role: 'api', url });
      },
    ),
  );
