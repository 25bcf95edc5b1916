// A socket to an address through a proxy: CONNECT for HTTP and HTTPS proxies, SOCKS5 otherwise. The proxy is always given the address
// that the guard judged, never the name: it would resolve the name again, and might get another answer.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { AppError } from '../../model/errors.ts';
import { type Guard, hostLiteral, refusal } from '../guard/guard.ts';
import type { OutboundProxy } from '../identity/proxy.ts';

export interface TunnelOptions {
  timeoutMs: number;
  /** Checks the address of a proxy of a task. */
  guard: Guard;
  ca?: string;
}

export async function openTunnel(
  proxy: OutboundProxy,
  address: string,
  port: number,
  options: TunnelOptions,
): Promise<Socket> {
  const host = proxy.isForeign ? await foreignHost(proxy, options.guard) : proxy.host;
  try {
    return await (proxy.scheme === 'socks5'
      ? throughSocks(proxy, host, address, port, options.timeoutMs)
      : throughConnect(proxy, host, address, port, options));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('proxy', `proxy ${proxy.label} failed`, { cause });
  }
}

/** Proxies listen on any port, so only the address counts; 443 is a port the guard has no objection to. */
async function foreignHost(proxy: OutboundProxy, guard: Guard): Promise<string> {
  const [first] = await guard.resolve(proxy.host, 443);
  if (first === undefined) throw refusal();
  return first.address;
}

async function throughSocks(
  proxy: OutboundProxy,
  host: string,
  address: string,
  port: number,
  timeoutMs: number,
): Promise<Socket> {
  const { SocksClient } = await import('socks');
  const { socket } = await SocksClient.createConnection({
    proxy: {
      host,
      port: proxy.port,
      type: 5,
      ...(proxy.username === '' ? {} : { userId: proxy.username, password: proxy.password }),
    },
    command: 'connect',
    destination: { host: address, port },
    timeout: timeoutMs,
  });
  return socket;
}

function throughConnect(
  proxy: OutboundProxy,
  host: string,
  address: string,
  port: number,
  options: TunnelOptions,
): Promise<Socket> {
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
  return new Promise((resolve, reject) => {
    const send = proxy.scheme === 'https' ? httpsRequest : httpRequest;
    const request = send({
      host: host.replace(/^\[|\]$/g, ''),
      port: proxy.port,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...(proxy.username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }) },
      agent: false,
      timeout: options.timeoutMs,
      ...(proxy.scheme === 'https'
        ? {
            servername: hostLiteral(proxy.host) === null ? proxy.host : '',
            ...(options.ca === undefined ? {} : { ca: options.ca }),
          }
        : {}),
    });
    const fail = (why: string) => {
      request.destroy();
      reject(new AppError('proxy', `proxy ${proxy.label} ${why}`));
    };
    request.on('connect', (response, socket, head) => {
      if (response.statusCode !== 200) return fail(`answered ${response.statusCode}`);
      // A server never sends first over HTTP or TLS; bytes here would come from the proxy itself.
      if (head.length > 0) return fail('sent data too early');
      socket.setTimeout(0);
      resolve(socket as Socket);
    });
    request.on('response', (response) => fail(`answered ${response.statusCode}`));
    request.on('timeout', () => fail('did not answer'));
    request.on('error', (cause) => reject(new AppError('proxy', `proxy ${proxy.label} failed`, { cause })));
    request.end();
  });
}
