// Which fault strikes a request: the one its address asks for, or one the seed chose. Pure: the same (seed, address, attempt) always
// gives the same answer, so a test can compute which pages must have failed, and how often, without asking the server.
import { hash32 } from '../random.ts';
import { type Fault, type FaultKind, parseFault } from './fault.ts';
import { PAGE_FAULTS } from './pages.ts';
import { STATUS_FAULTS } from './statuses.ts';
import { TRANSFER_FAULTS } from './transfers.ts';

export const FAULTS: Readonly<Record<string, FaultKind>> = { ...STATUS_FAULTS, ...TRANSFER_FAULTS, ...PAGE_FAULTS };

export interface SeededFaults {
  /** Share of addresses that misbehave, 0 to 1. */
  rate: number;
  /** As in `?fault=`: `['429:1', '500', 'reset', 'captcha']`. */
  kinds: readonly string[];
  seed?: number;
  /** A transient fault occurs for a URL between once and this often; 2 by default. */
  maxStrikes?: number;
}

/** Says what is wrong with the options, before a test runs for minutes with faults that never come. */
export function checkSeededFaults(faults: SeededFaults): void {
  if (!(faults.rate >= 0 && faults.rate <= 1))
    throw new RangeError(`faults.rate must be from 0 to 1, not ${faults.rate}`);
  for (const kind of faults.kinds) {
    if (parseFault(kind, FAULTS) === undefined) throw new RangeError(`faults.kinds: "${kind}" is no fault`);
  }
  if (faults.rate > 0 && faults.kinds.length === 0) throw new RangeError('faults.kinds is empty');
}

/** The fault the seed gives to the nth request (from 1) of an address (`host/path?query`), or nothing. robots.txt is spared: a 5xx there forbids the whole host. */
export function seededFault(faults: SeededFaults, address: string, attempt: number): Fault | undefined {
  if (address.endsWith('/robots.txt')) return undefined;
  const seed = faults.seed ?? 0;
  if (hash32(address, seed) / 0x1_0000_0000 >= faults.rate) return undefined;
  const spec = faults.kinds[hash32(address, seed + 1) % faults.kinds.length] as string;
  const fault = parseFault(spec, FAULTS);
  if (fault === undefined) return undefined;
  const most = faults.maxStrikes ?? 2;
  const strikes = FAULTS[fault.kind]?.isTransient ? 1 + (hash32(address, seed + 2) % most) : Number.POSITIVE_INFINITY;
  return attempt <= (fault.strikes ?? strikes) ? fault : undefined;
}
