// `windrow api`: takes work in and answers for it. Any number may run; scraping happens elsewhere.
import { command, takesSettings } from './command.ts';
import { runApi } from './parts/api.ts';
import { processName } from './parts/name.ts';
import { openConfiguredStore } from './parts/store.ts';
import { openWire } from './parts/wire.ts';
import { serve } from './serve.ts';

export const make = () =>
  takesSettings(
    command({
      name: 'api',
      about: 'Runs only the HTTP API, WebSockets and dashboard. Needs DATABASE_URL and REDIS_URL.',
      examples: [
        ['DATABASE_URL=postgres://… REDIS_URL=redis://… windrow api', 'for this machine only'],
        ['API_KEYS_FILE=/run/secrets/keys windrow api --host 0.0.0.0', 'for others, who need a key'],
      ],
    }),
    ['host', 'port', 'apiRateLimit', 'logLevel'],
  ).action((options: Record<string, unknown>) =>
    serve(
      { options, needs: ['databaseUrl', 'redisUrl'], isListening: true, name: processName('api') },
      async (role) => {
        const store = await openConfiguredStore(role);
        const url = await runApi(role, store, await openWire(role));
        role.log.info('process.started', { role: 'api', url });
      },
    ),
  );
