// All roles in one process, started in the order in which each needs the one before. They are stopped the other way round, which is the order a
// clean end wants: no new requests, tasks finished or given back, results recorded, connections closed, the embedded server last.
import type { Config } from '../../config.ts';
import { readServerFile, writeHome } from '../../store/embedded/home.ts';
import { runApi } from '../compose/api.ts';
import { runOrchestrator } from '../compose/orchestrator.ts';
import { openConfiguredStore } from '../compose/store.ts';
import { openWire } from '../compose/wire.ts';
import { runWorker } from '../compose/worker.ts';
import type { Role } from './serve.ts';

export interface Started {
  url: string;
  /** Where the pretend web is, when there is one. */
  sandbox: string | null;
}

export interface EverythingOptions {
  /** Pages come from the pretend web, whatever their address. */
  sandbox: boolean;
  /** False leaves the scraping to workers elsewhere. */
  worker: boolean;
  /** API processes on the port, this one included. */
  apiProcesses?: number;
  /** The options of the command, for those. */
  options?: Readonly<Record<string, unknown>>;
}

export async function startEverything(role: Role, options: EverythingOptions): Promise<Started> {
  const store = await openConfiguredStore(role);
  const wire = await openWire(role);
  runOrchestrator(role, store, wire);
  const sandbox = options.sandbox ? await openSandbox(role) : null;
  const config: Config = sandbox ? { ...role.config, webHostMap: [`*=${sandbox}`] } : role.config;
  if (options.worker) await runWorker({ ...role, config }, wire);
  const url = await runApi({ ...role, config }, store, wire, {
    processes: options.apiProcesses ?? 1,
    options: { ...options.options, ...(sandbox ? { webHostMap: `*=${sandbox}` } : {}) },
  });
  if (!role.config.databaseUrl) await announce(role.config.home, url);
  role.log.info('process.started', { role: 'up', url, ...(sandbox ? { sandbox } : {}) });
  return { url, sandbox };
}

async function openSandbox({ life, log }: Role): Promise<string> {
  const { startSandbox } = await import('../../sandbox/server.ts');
  const sandbox = await startSandbox();
  life.own('sandbox', () => sandbox.close());
  log.warn('sandbox.on', { origin: sandbox.origin, effect: 'no page comes from the real web' });
  return sandbox.origin;
}

/** So that `windrow submit` in the same folder finds us on any port. */
async function announce(home: string, api: string): Promise<void> {
  const file = await readServerFile(home);
  if (file) await writeHome(home, { ...file, api });
}
