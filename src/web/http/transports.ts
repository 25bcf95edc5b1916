// HTTP clients, one set per exit, created on first use and closed together. A task may have its own proxies, so the number of sets is limited: the least
// recently used one is closed first.

import { Agent } from 'undici';
import type { Guard } from '../guard/guard.ts';
import { type GuardProxy, openGuardProxy } from '../guard/guard-proxy.ts';
import { DIRECT, type Exit } from '../identity/proxy.ts';
import { type ConnectOptions, guardedConnector, plainConnector } from './connect.ts';
import { createImpitClient, type ImpitClient } from './impit.ts';

export interface Transports {
  agent(exit: Exit): Agent;
  /** For origins of the host map only, which the operator wrote; hence without the guard. */
  readonly mapped: Agent;
  guardProxy(exit: Exit): Promise<GuardProxy>;
  impit(exit: Exit, tls: string): Promise<ImpitClient>;
  close(): Promise<void>;
}

export interface TransportOptions {
  guard: Guard;
  connect: ConnectOptions;
  maxHeaderBytes: number;
}

interface ExitClients {
  agent: Agent | null;
  guardProxy: Promise<GuardProxy> | null;
  impits: Map<string, Promise<ImpitClient>>;
}

const MAX_EXITS = 200;

export function createTransports(options: TransportOptions): Transports {
  const { guard, connect } = options;
  const pool = { maxHeaderSize: options.maxHeaderBytes, allowH2: false };
  const direct = new Agent({ ...pool, connect: guardedConnector(guard, DIRECT, connect) });
  const mapped = new Agent({ ...pool, connect: plainConnector(connect) });
  const exits = new Map<Exit, ExitClients>();

  const clientsOf = (exit: Exit): ExitClients => {
    const known = exits.get(exit) ?? { agent: null, guardProxy: null, impits: new Map() };
    exits.delete(exit);
    exits.set(exit, known);
    if (exits.size > MAX_EXITS) {
      const [oldest, clients] = exits.entries().next().value ?? [];
      if (oldest !== undefined && clients !== undefined) {
        exits.delete(oldest);
        void closeClients(clients);
      }
    }
    return known;
  };

  const guardProxy = (exit: Exit): Promise<GuardProxy> => {
    const clients = clientsOf(exit);
    const ca = connect.ca === undefined ? {} : { ca: connect.ca };
    clients.guardProxy ??= openGuardProxy({ guard, exit, connectTimeoutMs: connect.timeoutMs, ...ca });
    return clients.guardProxy;
  };

  return {
    mapped,
    agent(exit) {
      if (exit === DIRECT) return direct;
      const clients = clientsOf(exit);
      clients.agent ??= new Agent({ ...pool, connect: guardedConnector(guard, exit, connect) });
      return clients.agent;
    },
    guardProxy,
    async impit(exit, tls) {
      const { url } = await guardProxy(exit);
      const { impits } = clientsOf(exit);
      const client = impits.get(tls) ?? createImpitClient({ tls, proxyUrl: url });
      impits.set(tls, client);
      return client;
    },
    async close() {
      const open = [...exits.values()];
      exits.clear();
      await Promise.all([direct.destroy(), mapped.destroy(), ...open.map(closeClients)]);
    },
  };
}

async function closeClients(clients: ExitClients): Promise<void> {
  await Promise.all([clients.agent?.destroy(), clients.guardProxy?.then((proxy) => proxy.close())]);
}
