// A DNS server on loopback whose answers a test decides, question by question: rebinding needs one that changes its mind.
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';

/** Addresses for the n-th question about a name; IPv4 and IPv6 are asked for separately. */
export type Zone = (name: string, question: number) => string[];

export async function serveDns(zone: Zone) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query);
    asked.push(`${type === 28 ? 'AAAA' : 'A'} ${name}`);
    const count = asked.filter((entry) => entry === `A ${name}`).length;
    const addresses = zone(name, count).filter((address) => address.includes(':') === (type === 28));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...addresses.map((address) => record(address))]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  const resolver = new Resolver({ timeout: 30_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  return {
    asked,
    /** What the guard takes as its resolver. */
    resolve: async (hostname: string) => {
      const lists = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : [])).map((address) => ({ address }));
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** An answer that must not be remembered: TTL 0. */
function record(address: string): Buffer {
  const isV6 = address.includes(':');
  const data = isV6 ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.from([0xc0, 0x0c, 0, isV6 ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const words = (text: string) => text.split(':').filter((word) => word !== '');
  const head = words(left);
  const tail = words(right);
  const all = address.includes('::') ? [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail] : head;
  return Buffer.from(all.flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 0xff]));
}
