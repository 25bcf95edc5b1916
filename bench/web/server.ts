// The site the web benches fetch from, in a process of its own so that its CPU is not counted: article-sized pages, keep-alive.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const paragraph =
  '<p>Rain fell over the valley for the third day, and the council met to decide what should be done about the bridge.</p>\n';
const page = Buffer.from(
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The bridge stays closed</title></head><body><article>${paragraph.repeat(225)}</article></body></html>`,
);

const sheets = [1, 2, 3].map((n) => `<link rel="stylesheet" href="/style-${n}.css">`).join('');
const card = (n: number) =>
  `<li class="card"><h2>card ${n}</h2><img src="/image-${n}.png"><p>Engineer, full time, remote</p></li>`;
const cards = `<!doctype html><html><head><title>Jobs</title>${sheets}</head><body><ul>${Array.from({ length: 30 }, (_, n) => card(n)).join('')}</ul></body></html>`;
const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const server = createServer((request, response) => {
  const url = request.url ?? '';
  if (url.startsWith('/cards/')) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(cards);
    return;
  }
  if (url.endsWith('.png')) {
    response.writeHead(200, { 'content-type': 'image/png' }).end(image);
    return;
  }
  if (url.endsWith('.css')) {
    response.writeHead(200, { 'content-type': 'text/css' }).end('.card { margin: 1em }');
    return;
  }
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
