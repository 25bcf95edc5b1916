// What a person or a test sees at the sandbox's own address: an index of things to try, the log of hits, the counters per host.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Address } from './address.ts';
import { FAULTS } from './faults/plan.ts';
import type { HitLog } from './hits.ts';
import type { Replica } from './replica.ts';

interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  address: Address;
  log: HitLog;
  replicas: readonly Replica[];
  reset(): void;
}

const MAX_SHOWN_HITS = 1000;

export function answerConsole({ request, response, address, log, replicas, reset }: Visit): void {
  const params = new URLSearchParams(address.search);
  const host = params.get('host') ?? undefined;
  switch (address.path) {
    case '/':
    case '/__sandbox':
      response.writeHead(302, { location: '/__sandbox/', 'content-length': 0 });
      response.end();
      return;
    case '/__sandbox/':
      respond(response, 200, 'text/html; charset=utf-8', indexPage(address.origin, replicas));
      return;
    case '/__sandbox/hits': {
      const hits = log.hits(host);
      const limit = Math.min(Number(params.get('limit') ?? MAX_SHOWN_HITS) || MAX_SHOWN_HITS, MAX_SHOWN_HITS);
      json(response, {
        total: hits.length,
        ...(host === undefined ? {} : { stats: log.stats().hosts[host] ?? null }),
        hits: hits.slice(-limit),
      });
      return;
    }
    case '/__sandbox/stats':
      json(response, log.stats());
      return;
    case '/__sandbox/reset':
      if (request.method === 'POST') reset();
      respond(
        response,
        request.method === 'POST' ? 200 : 405,
        'text/plain; charset=utf-8',
        request.method === 'POST' ? 'Forgotten.\n' : 'Use POST.\n',
      );
      return;
    default:
      respond(
        response,
        404,
        'text/plain; charset=utf-8',
        'The sandbox has /__sandbox/, /__sandbox/hits?host=, /__sandbox/stats, /__sandbox/at/<host>/<path> and POST /__sandbox/reset.\n',
      );
  }
}

function respond(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}

function json(response: ServerResponse, value: unknown): void {
  respond(response, 200, 'application/json; charset=utf-8', JSON.stringify(value));
}

function indexPage(origin: string, replicas: readonly Replica[]): string {
  const sections = replicas.map((replica) => {
    const examples = replica.examples.map(
      ({ url, note }) =>
        `<li><a href="/__sandbox/at/${url.replace(/^https?:\/\//, '')}"><code>${text(url)}</code></a> ${text(note)}</li>`,
    );
    return `<h2>${text(replica.name)}</h2><p>${text(replica.title)}.</p><p>Hosts: <code>${text(replica.hosts.join(', '))}</code></p><ul>${examples.join('\n')}</ul>`;
  });
  const faults = Object.values(FAULTS).map(
    ({ usage, effect, isTransient }) =>
      `<tr><td><code>${text(usage)}</code></td><td>${text(effect)}</td><td>${isTransient ? 'yes' : ''}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Windrow sandbox</title>
<style>body{font:1em/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color-scheme:light dark}table{border-collapse:collapse}td,th{border-top:1px solid #8884;padding:.2em .8em .2em 0;text-align:left;vertical-align:top}code{white-space:nowrap}</style></head>
<body><h1>The sandbox web</h1>
<p>Every host and path exists here. Send all of them to this address with <code>WEB_HOST_MAP='*=${text(origin)}'</code> and <code>WEB_ALLOW_PRIVATE=127.0.0.1</code>, or look at one page: <code>${text(origin)}/__sandbox/at/www.bbc.com/news/technology</code>.</p>
<p><a href="/__sandbox/stats">Counters per host</a> · <a href="/__sandbox/hits">last hits</a> (<code>?host=www.bbc.com</code>) · <code>POST /__sandbox/reset</code></p>
${sections.join('\n')}
<h2>Faults</h2>
<p>Add <code>?fault=…</code> to any address, or put <code>/fault/…</code> before its path. With <code>-then-ok:2</code> at its end (<code>500-then-ok:2</code>) a fault strikes the first two requests only.</p>
<table><tr><th>fault</th><th>what happens</th><th>passes by itself when chosen by seed</th></tr>
${faults.join('\n')}
</table></body></html>
`;
}

function text(value: string): string {
  return value.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
