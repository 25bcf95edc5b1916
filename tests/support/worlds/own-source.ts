// A folder with a source of one's own, and the site it scrapes: what examples/private-source is, with a server that a test can ask.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const EXAMPLE = resolve(import.meta.dirname, '../../../examples/private-source');

export interface OwnSourceWorld {
  /** Has windrow.config.ts; a folder of its own, so that nothing of the repository is found by accident. */
  folder: string;
  /** An empty folder: a Windrow that is started there lacks the source. */
  elsewhere: string;
  /** WEB_HOST_MAP that leads to the site. */
  hostMap: string;
  /** Paths that were asked for. */
  hits: string[];
  close(): Promise<void>;
}

export async function openOwnSourceWorld(): Promise<OwnSourceWorld> {
  const root = mkdtempSync(join(tmpdir(), 'windrow-own-'));
  const folder = join(root, 'own');
  const elsewhere = mkdtempSync(join(root, 'elsewhere-'));
  cpSync(EXAMPLE, folder, { recursive: true });
  const jobs = readFileSync(join(EXAMPLE, 'jobs.json'));
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? '/');
    const [status, type, body] = pageAt(request.url ?? '/', jobs);
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    folder,
    elsewhere,
    hits,
    hostMap: `*=${origin}`,
    async close() {
      await new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      });
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function pageAt(path: string, jobs: Buffer): [status: number, type: string, body: string | Buffer] {
  if (path.startsWith('/api/jobs')) return [200, 'application/json', jobs];
  if (path.startsWith('/story'))
    return [200, 'text/html', '<html lang="en"><h1>Ferries</h1><p>They run again.</p></html>'];
  if (path === '/careers') return [200, 'text/html', '<a href="https://jobs.acme.example/?team=docks">Our jobs</a>'];
  return [404, 'text/plain', 'There is nothing here.'];
}
