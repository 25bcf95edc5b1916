// Plays the careers page of Acme, so that the example has something to scrape: node site.mjs
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const jobs = readFileSync(new URL('jobs.json', import.meta.url));
const port = Number(process.env.PORT ?? 9300);

createServer((request, response) => {
  const isList = request.url?.startsWith('/api/jobs') ?? false;
  response.writeHead(isList ? 200 : 404, { 'content-type': isList ? 'application/json' : 'text/plain' });
  response.end(isList ? jobs : 'There is nothing here.');
}).listen(port, '127.0.0.1', () => console.log(`Acme is at http://127.0.0.1:${port}`));
