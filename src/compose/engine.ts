// The engine in one process: store, wire, orchestrator and worker, each started after those it needs. They are stopped in reverse order: tasks finished
// or returned, results recorded, connections closed, the embedded server last.
import type { Config } from '../config.ts';
import { readServerFile, writeHome } from '../store/embedded/home.ts';
import type { Store } from '../store/store.ts';
import type { PaceReader } from '../web/pace/pace.ts';
import type { Wire } from '../wire/port.ts';
import { runOrchestrator } from './orchestrator.ts';
import { openPace } from './pace.ts';
import type { Role } from './process/role.ts';
import { openConfiguredStore } from './store.ts';
import { openWire } from './wire.ts';
import { runWorker } from './worker.ts';

export interface EngineOptions {
  /** All pages come from the sandbox web. */
  sandbox: boolean;
  /** False: workers run in other processes. */
  worker: boolean;
}

export interface Engine {
  store: Store;
  wire: Wire;
  pace: PaceReader;
  /** With a host map to the sandbox web, if that was asked for. */
  config: Config;
  /** Origin of the sandbox web, if there is one. */
  sandbox: string | null;
}

export async function startEngine(role: Role, options: EngineOptions): Promise<Engine> {
  const store = await openConfiguredStore(role);
  const wire = await openWire(role);
  const pace = await openPace(role);
  runOrchestrator(role, store, wire, pace);
  const sandbox = options.sandbox ? await openSandbox(role) : null;
  const config: Config = sandbox ? { ...role.config, webHostMap: [`*=${sandbox}`] } : role.config;
  if (options.worker) await runWorker({ ...role, config }, wire, pace);
  return { store, wire, pace, config, sandbox };
}

async function openSandbox({ life, log }: Role): Promise<string> {
  const { startSandbox } = await import('../sandbox/server.ts');
  const sandbox = await startSandbox();
  life.own('sandbox', () => sandbox.close());
  log.warn('sandbox.on', { origin: sandbox.origin, effect: 'no page comes from the internet' });
  return sandbox.origin;
}

/** So that `windrow submit` in the same folder finds the API on any port. */
export async function announceApi({ databaseUrl, home }: Config, api: string): Promise<void> {
  const file = databaseUrl ? null : await readServerFile(home);
  if (file) await writeHome(home, { ...file, api });
}
