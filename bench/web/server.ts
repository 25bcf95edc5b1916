// The site the web benches fetch from, in a process of its own so that its CPU is not counted: article-sized pages, keep-alive.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const paragraph = '<p>Rain fell over the valley for the third day, and the council met to decide what should be done about the bridge.</p>\n';
const page = Buffer.from(
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The bridge stays closed</title></head><body><article>${paragraph.repeat(225)}</article></body></html>`,
);

const server = createServer((request, response) => {
  if (request.url === '/robots.txt') {
    response.end('User-agent: *\nDisallow: /private/\nAllow: /\n');
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length }).end(page);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, bytes: page.length });
});
process.on('disconnect', () => process.exit(0));
