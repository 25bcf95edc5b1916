// Chooses the exit (proxy or direct) of a session. Tiers go from cheap to expensive; after a block the sessions of a site move one tier up, and after some
// time without blocks one tier down again. A dead proxy is not used for a while that doubles, and is probed in the background; when all of a tier are
// dead, the one that has been dead longest is tried.
import { connect as connectTcp } from 'node:net';
import { DIRECT, type Exit, labelOf, type OutboundProxy } from './proxy.ts';

export type Rotation = 'round-robin' | 'least-used';

export interface ProxyPoolOptions {
  tiers: Exit[][];
  rotation?: Rotation;
  /** A site comes down one tier after this long without a block. */
  decayMs?: number;
  /** How often dead proxies are probed; 0 is never. */
  probeEveryMs?: number;
  now?: () => number;
}

interface Health {
  uses: number;
  failures: number;
  deadUntil: number;
  blocks: number;
}

export interface ProxyState extends Health {
  label: string | null;
  tier: number;
  isDead: boolean;
}

export interface ProxyPool {
  /** How many tiers there are; without any proxies one, with the direct exit. */
  readonly tierCount: number;
  /** No proxy is configured at all. */
  readonly isDirectOnly: boolean;
  /** The tier a site (source and host) is on. */
  tierOf(site: string): number;
  pick(tier: number): Exit;
  /** Those of a tier that may be used now, at most 16, the preferred one first; who takes one of them says so (`use`). */
  choices(tier: number): Exit[];
  use(exit: Exit): void;
  report(exit: Exit, outcome: 'ok' | 'dead' | 'blocked'): void;
  escalate(site: string): void;
  states(): ProxyState[];
  close(): void;
}

const FIRST_DEAD_MS = 10_000;
const MAX_DEAD_MS = 600_000;
const MAX_SITES = 10_000;
/** More to choose from would make every reservation longer and hardly find a better turn. */
const MAX_CHOICES = 16;
const PROBE_TIMEOUT_MS = 3_000;

export function createProxyPool(options: ProxyPoolOptions): ProxyPool {
  const now = options.now ?? (() => performance.now());
  const tiers: Exit[][] = options.tiers.length > 0 ? options.tiers : [[DIRECT]];
  const decayMs = options.decayMs ?? 600_000;
  const health = new Map<Exit, Health>();
  for (const exit of tiers.flat()) health.set(exit, { uses: 0, failures: 0, deadUntil: 0, blocks: 0 });
  const turns = tiers.map(() => 0);
  const sites = new Map<string, { tier: number; since: number }>();

  const healthOf = (exit: Exit): Health => health.get(exit) ?? { uses: 0, failures: 0, deadUntil: 0, blocks: 0 };
  const isDead = (exit: Exit) => healthOf(exit).deadUntil > now();

  const tierOf = (site: string): number => {
    const known = sites.get(site);
    if (known === undefined) return 0;
    const steps = Math.floor((now() - known.since) / decayMs);
    if (steps === 0) return known.tier;
    known.tier = Math.max(0, known.tier - steps);
    known.since += steps * decayMs;
    if (known.tier === 0) sites.delete(site);
    return known.tier;
  };

  const markDead = (exit: Exit) => {
    const state = healthOf(exit);
    state.failures += 1;
    state.deadUntil = now() + Math.min(MAX_DEAD_MS, FIRST_DEAD_MS * 2 ** (state.failures - 1));
  };
  const markAlive = (exit: Exit) => {
    const state = healthOf(exit);
    state.failures = 0;
    state.deadUntil = 0;
  };

  const choices = (tier: number): Exit[] => {
    const index = Math.min(tier, tiers.length - 1);
    const members = tiers[index] ?? [DIRECT];
    const alive = members.filter((exit) => !isDead(exit));
    if (alive.length === 0)
      return members.toSorted((a, b) => healthOf(a).deadUntil - healthOf(b).deadUntil).slice(0, 1);
    const turn = (turns[index] ?? 0) % alive.length;
    turns[index] = (turns[index] ?? 0) + 1;
    const inOrder =
      options.rotation === 'least-used'
        ? alive.toSorted((a, b) => healthOf(a).uses - healthOf(b).uses)
        : [...alive.slice(turn), ...alive.slice(0, turn)];
    return inOrder.slice(0, MAX_CHOICES);
  };
  const use = (exit: Exit): void => {
    healthOf(exit).uses += 1;
  };

  const probeEveryMs = options.probeEveryMs ?? 30_000;
  const proxies = tiers.flat().filter((exit): exit is OutboundProxy => exit !== DIRECT);
  const timer =
    probeEveryMs > 0 && proxies.length > 0
      ? setInterval(() => {
          for (const proxy of proxies.filter(isDead)) probe(proxy).then((answers) => answers && markAlive(proxy));
        }, probeEveryMs)
      : undefined;
  timer?.unref();

  return {
    tierCount: tiers.length,
    isDirectOnly: proxies.length === 0,
    tierOf,
    choices,
    use,
    pick(tier) {
      const exit = choices(tier)[0] ?? DIRECT;
      use(exit);
      return exit;
    },
    report(exit, outcome) {
      if (exit === DIRECT) return;
      if (outcome === 'dead') markDead(exit);
      else markAlive(exit);
      if (outcome === 'blocked') healthOf(exit).blocks += 1;
    },
    escalate(site) {
      const tier = Math.min(tierOf(site) + 1, tiers.length - 1);
      if (sites.size >= MAX_SITES) sites.delete(sites.keys().next().value ?? '');
      if (tier > 0) sites.set(site, { tier, since: now() });
    },
    states: () =>
      tiers.flatMap((members, tier) =>
        members.map((exit) => ({ label: labelOf(exit), tier, isDead: isDead(exit), ...healthOf(exit) })),
      ),
    close: () => clearInterval(timer),
  };
}

/** Whether anything listens there; whether it also lets us through is seen by the next request. */
function probe(proxy: OutboundProxy): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host: proxy.host.replace(/^\[|\]$/g, ''), port: proxy.port });
    const finish = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => finish(false));
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
}
