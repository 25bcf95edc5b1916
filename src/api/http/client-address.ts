// The address of whoever asks, for requests that Fastify does not see: upgrades to WebSockets. By the same rule: X-Forwarded-For counts when it comes from a proxy that the
// operator named.
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

export function createClientAddress(trusted: string[] = []): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile(trusted);
  // A socket that was closed meanwhile has no address.
  return (request) => (request.socket.remoteAddress === undefined ? '' : proxyAddr(request, isTrusted));
}
