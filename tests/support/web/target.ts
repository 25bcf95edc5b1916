// The oracle of the fault tests: a site of numbered article pages whose true content a test can compute, and a log of every hit with its start, its
// end and how many were open beside it. Behaviour is asked for in the address, so that a task carries its own fault:
//   /page/7?slow=2000  /page/7?held=1 (answered when the test lets it go)  /page/7?hang=1  /page/7?status=500  /page/7?status=503&times=2 (then fine)  /page/7?cut=1 (ends mid-body)
//   /page/7?redirect=2 (hops, then the page)  /page/7?broken=1 (500 until the test repairs it)  /page/7?costly=1 (texts that are slow to read)
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Hit {
  path: string;
  startMs: number;
  /** Unset while the answer is open. */
  endMs?: number;
  /** The client went away before the answer was complete. */
  aborted: boolean;
  /** Open answers when this one began, itself included. */
  concurrent: number;
}

export interface TargetPage {
  title: string;
  /** Paragraphs, in order. */
  paragraphs: string[];
}

const SUBJECTS = [
  'The harbour council',
  'A team of botanists',
  'The night train',
  'An old observatory',
  'The river authority',
  'A village choir',
];
const DEEDS = [
  'announced a plan',
  'found an error',
  'changed its route',
  'opened its archive',
  'counted every bridge',
  'met for the last time',
];
const CAUSES = [
  'after a long winter',
  'because the records disagreed',
  'when nobody expected it',
  'as the figures had suggested',
  'despite the rain',
];

/** The truth about page `n`: the same forever, and no two pages share a title or a paragraph. */
export function pageTruth(n: number): TargetPage {
  const pick = (words: string[], salt: number) => words[(n * 7 + salt * 13) % words.length]!;
  const title = `${pick(SUBJECTS, 0)} ${pick(DEEDS, 1)}: report ${n}`;
  const paragraphs = Array.from({ length: 5 }, (_, i) => {
    const first = `${pick(SUBJECTS, i)} ${pick(DEEDS, i + 1)} ${pick(CAUSES, i + 2)}, as paragraph ${i + 1} of report ${n} sets out in some detail.`;
    return `${first} Readers who followed the matter will remember that number ${n * 31 + i} stood in the ledger, and that it was never explained.`;
  });
  return { title, paragraphs };
}

export class TargetSite {
  readonly #server: Server;
  readonly #open = new Set<ServerResponse>();
  readonly #asked = new Map<string, number>();
  readonly hits: Hit[] = [];
  #gate = Promise.withResolvers<void>();
  readonly #repaired = new Set<number>();
  /** What every page answers for the time being, instead of what its address asks for. */
  trouble: 'none' | 'reset' | 'hang' | 429 | 503 = 'none';

  constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<TargetSite> {
    const site = new TargetSite();
    await new Promise<void>((done, failed) => site.#server.once('error', failed).listen(0, '127.0.0.1', done));
    return site;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** The address of page `n`, with behaviour. */
  page(n: number, behaviour: Record<string, string | number> = {}): string {
    const query = new URLSearchParams(Object.entries(behaviour).map(([key, value]) => [key, String(value)])).toString();
    return `${this.origin}/page/${n}${query === '' ? '' : `?${query}`}`;
  }

  get open(): number {
    return this.#open.size;
  }

  get maxConcurrent(): number {
    return Math.max(0, ...this.hits.map((hit) => hit.concurrent));
  }

  /** Answers to `held` pages wait from now on, until `letGo`. */
  hold(): void {
    this.#gate = Promise.withResolvers<void>();
  }

  /** All that were asked for, and those that will be. */
  letGo(): void {
    this.#gate.resolve();
  }

  repair(n: number): void {
    this.#repaired.add(n);
  }

  /** Ends answers that hang because of a trouble that is over. */
  endTrouble(): void {
    if (this.trouble === 'hang') for (const response of this.#open) response.destroy();
    this.trouble = 'none';
  }

  hitsOf(n: number): Hit[] {
    return this.hits.filter((hit) => new URL(hit.path, this.origin).pathname === `/page/${n}`);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    if (url.pathname === '/robots.txt') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nAllow: /\n');
      return;
    }
    this.#open.add(response);
    const hit: Hit = {
      path: url.pathname + url.search,
      startMs: performance.now(),
      aborted: false,
      concurrent: this.#open.size,
    };
    this.hits.push(hit);
    const gone = new AbortController();
    response.once('close', () => {
      this.#open.delete(response);
      hit.endMs = performance.now();
      hit.aborted = !response.writableFinished;
      gone.abort();
    });
    const slowMs = Number(url.searchParams.get('slow') ?? 0);
    // An abort ends the wait; there is nobody left to answer then.
    if (slowMs > 0) await sleep(slowMs, undefined, { signal: gone.signal }).catch(() => {});
    if (url.searchParams.has('held')) await Promise.race([this.#gate.promise, once(gone.signal, 'abort')]);
    if (gone.signal.aborted || url.searchParams.has('hang') || this.trouble === 'hang') return;
    if (this.trouble === 'reset') response.socket?.resetAndDestroy();
    else this.#finish(url, response);
  }

  #finish(url: URL, response: ServerResponse): void {
    const match = /^\/page\/(\d+)$/.exec(url.pathname);
    const status = match ? this.#status(url, Number(match[1])) : 404;
    const headers: Record<string, string> = { 'content-type': 'text/html; charset=utf-8' };
    if (status === 429 || status === 503) headers['retry-after'] = url.searchParams.get('after') ?? '1';
    if (status !== 200 || !match) {
      response
        .writeHead(status, headers)
        .end(`<html><title>${status}</title><body><p>Status ${status}.</p></body></html>`);
      return;
    }
    const hops = Number(url.searchParams.get('redirect') ?? 0);
    if (hops > 0) {
      url.searchParams.set('redirect', String(hops - 1));
      response.writeHead(302, { location: url.pathname + url.search }).end();
      return;
    }
    const html = pageHtml(Number(match[1]), url.searchParams.has('costly') ? COSTLY : '');
    if (url.searchParams.has('cut')) {
      response.writeHead(200, { ...headers, 'content-length': String(Buffer.byteLength(html)) });
      response.write(html.slice(0, html.length / 2), () => response.destroy());
      return;
    }
    response.writeHead(200, headers).end(html);
  }

  /** `status` answers always, `status` with `times` that often for this very address, and then the page. */
  #status(url: URL, page: number): number {
    if (this.trouble === 429 || this.trouble === 503) return this.trouble;
    if (url.searchParams.has('broken') && !this.#repaired.has(page)) return 500;
    const status = Number(url.searchParams.get('status') ?? 200);
    const times = url.searchParams.get('times');
    if (times === null) return status;
    const key = url.pathname + url.search;
    const asked = (this.#asked.get(key) ?? 0) + 1;
    this.#asked.set(key, asked);
    return asked <= Number(times) ? status : 200;
  }
}

/** Texts on which careless patterns take seconds. */
const COSTLY = `<meta name="author" content="${'@'.repeat(20_000)}"><script type="application/ld+json">{"@type":"NewsArticle","author":"${'GmbH '.repeat(5_000)}",${'\t'.repeat(100_000)}"wordCount":1}</script>`;

function pageHtml(n: number, head: string): string {
  const { title, paragraphs } = pageTruth(n);
  const body = paragraphs.map((text) => `<p>${text}</p>`).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head>
<body><header><nav><a href="/">Home</a></nav></header>
<article><h1>${title}</h1>
${body}
</article><footer>Target site</footer></body></html>
`;
}
