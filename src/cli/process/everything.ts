// The engine and the API in one process, for `windrow up` and `windrow demo`.
import { runApi } from '../../compose/api.ts';
import { announceApi, type EngineOptions, startEngine } from '../../compose/engine.ts';
import type { Role } from '../../compose/process/role.ts';
import { runApiProcesses } from './api-processes.ts';
import { parentPeers } from './metric-peers.ts';
import { requireFreePort } from './port.ts';

export interface Started {
  url: string;
  /** Origin of the sandbox web, if there is one. */
  sandbox: string | null;
}

export interface EverythingOptions extends EngineOptions {
  /** API processes on the port, this one included. */
  apiProcesses?: number;
  /** The options of the command, for those. */
  options?: Readonly<Record<string, unknown>>;
}

export async function startEverything(role: Role, given: EverythingOptions): Promise<Started> {
  const { apiProcesses = 1, options = {} } = given;
  await requireFreePort(role.config, apiProcesses > 1);
  const { store, wire, pace, config, sandbox } = await startEngine(role, given);
  const peers = parentPeers();
  const shared = apiProcesses > 1 ? { sharesPort: true, peers } : {};
  const url = await runApi({ ...role, config }, store, wire, { pace, ...shared });
  await runApiProcesses(role, {
    count: apiProcesses - 1,
    url,
    peers,
    options: { ...options, ...(sandbox ? { webHostMap: `*=${sandbox}` } : {}) },
  });
  await announceApi(config, url);
  role.log.info('process.started', { role: 'up', url, ...(sandbox ? { sandbox } : {}) });
  return { url, sandbox };
}
