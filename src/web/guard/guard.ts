// Which addresses a worker may connect to (SSRF). It decides on addresses, never on names: a name is only as good as every address
// it resolves to, and the connection must go to the very address that was judged (see connect.ts), or a second DNS answer slips in.
// What cannot be checked is refused, always with the same sentence, so that refusals reveal nothing about the internal network.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../model/errors.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export type Resolve = (hostname: string) => Promise<{ address: string }[]>;

export interface GuardOptions {
  /** Addresses or CIDRs an operator opens, on every port (WEB_ALLOW_PRIVATE). */
  allow?: string[];
  /** Addresses, CIDRs or `address:port` refused whatever else holds: the platform's own servers. */
  deny?: string[];
  /** Ports that public addresses may be reached on besides 80 and 443. */
  ports?: number[];
  /** All addresses of a name; the system's resolver unless given. */
  resolve?: Resolve;
}

export interface Guard {
  isOpen(address: string, port: number): boolean;
  /** Scheme, userinfo and literal address of a URL; names are judged when they are resolved. */
  checkUrl(url: URL): void;
  /** Every address of the host, each one judged; literals too, since no resolver is asked for those. */
  resolve(hostname: string, port: number): Promise<ResolvedAddress[]>;
}

const IPV4_CLOSED: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's host agent: a public address that answers only inside
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

// IPv6 is closed except 2000::/3 (what is routed today), less these. 2001::/23 holds Teredo, ORCHID and benchmarking;
// 6to4 is withdrawn and would carry an IPv4 address past the list above.
const IPV6_CLOSED: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const DEFAULT_PORTS = [80, 443];

export function createGuard(options: GuardOptions = {}): Guard {
  const closed4 = blockList(IPV4_CLOSED, 'ipv4');
  const closed6 = blockList(IPV6_CLOSED, 'ipv6');
  const allowed = new BlockList();
  for (const entry of options.allow ?? []) addEntry(allowed, entry);
  const denied = new BlockList();
  const deniedPorts = new Set<string>();
  for (const entry of options.deny ?? []) {
    const withPort = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(entry);
    if (withPort === null) addEntry(denied, entry);
    else deniedPorts.add(`${canonical(withPort[1] ?? withPort[2] ?? '')} ${withPort[3]}`);
  }
  const ports = new Set([...DEFAULT_PORTS, ...(options.ports ?? [])]);
  const resolveName = options.resolve ?? ((hostname) => lookup(hostname, { all: true }));

  const isPublic = (address: string): boolean => {
    if (isIPv4(address)) return !closed4.check(address, 'ipv4');
    const embedded = embeddedIpv4(address);
    if (embedded !== null) return !closed4.check(embedded, 'ipv4');
    return isGlobalUnicast(address) && !closed6.check(address, 'ipv6');
  };

  const isOpen = (address: string, port: number): boolean => {
    const plain = canonical(address);
    if (plain === null) return false;
    const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
    if (denied.check(plain, family) || deniedPorts.has(`${plain} ${port}`)) return false;
    if (allowed.check(plain, family)) return true;
    return ports.has(port) && isPublic(plain);
  };

  return {
    isOpen,
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusal();
      if (url.username !== '' || url.password !== '' || url.hostname === '') throw refusal();
      const literal = hostLiteral(url.hostname);
      if (literal !== null && !isOpen(literal, portOf(url))) throw refusal();
    },
    async resolve(hostname, port) {
      const literal = hostLiteral(hostname);
      const answers = literal === null ? await resolveOrFail(resolveName, hostname) : [{ address: literal }];
      if (answers.length === 0) throw new AppError('dns', `could not resolve ${hostname}`);
      return answers.map(({ address }) => {
        if (!isOpen(address, port)) throw refusal();
        return { address, family: isIPv4(address) ? 4 : 6 };
      });
    },
  };
}

/** One sentence for every refusal: the rule and the address are not revealed. */
export function refusal(): AppError {
  return new AppError('forbidden_address');
}

export function portOf(url: { protocol: string; port: string }): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** The address when a URL's host is one, without brackets; null for names. The URL parser has already undone odd spellings. */
export function hostLiteral(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

async function resolveOrFail(resolve: Resolve, hostname: string): Promise<{ address: string }[]> {
  try {
    return await resolve(hostname);
  } catch (cause) {
    throw new AppError('dns', `could not resolve ${hostname}`, { cause });
  }
}

/** One spelling per address, mapped IPv6 as IPv4; null for anything that is not an address (zone ids included). */
function canonical(address: string): string | null {
  if (isIPv4(address)) return address;
  if (isIP(address) === 0 || address.includes('%')) return null;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toString();
}

/** The IPv4 address inside NAT64's well-known prefix or an ISATAP interface id; the other carriers are closed whole. */
function embeddedIpv4(address: string): string | null {
  const bytes = ipaddr.IPv6.parse(address).toByteArray();
  const isNat64 =
    bytes[0] === 0 &&
    bytes[1] === 0x64 &&
    bytes[2] === 0xff &&
    bytes[3] === 0x9b &&
    bytes.slice(4, 12).every((b) => b === 0);
  const isIsatap = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return isNat64 || isIsatap ? bytes.slice(12).join('.') : null;
}

function isGlobalUnicast(address: string): boolean {
  return ((ipaddr.IPv6.parse(address).toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}

function blockList(ranges: [string, number][], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

function addEntry(list: BlockList, entry: string): void {
  const [network = '', prefix] = entry.trim().split('/');
  const family = isIPv4(network) ? 'ipv4' : 'ipv6';
  const bits = prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix);
  if (isIP(network) === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 'ipv4' ? 32 : 128)) {
    throw new AppError('invalid_params', `not an address or CIDR: ${entry}`);
  }
  list.addSubnet(network, bits, family);
}
