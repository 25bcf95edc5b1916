// The pretend web without a server: answers of the replicas as a source gets them, each of which can be changed on its way.

import { replyFor } from '../../../src/sandbox/replica.ts';
import { REPLICAS } from '../../../src/sandbox/replicas.ts';
import { diagnose } from '../../../src/web/blocks/blocks.ts';
import type { Web, WebRequest, WebResponse } from '../../../src/web/port.ts';

const NOW_MS = Date.UTC(2026, 10, 15);
const SETTINGS: Record<string, string> = {
  app_key: 'ab'.repeat(32),
  api_key: 'key',
  client_id: 'id',
  client_secret: 'secret',
  app_auth: 'b64',
};

/** `change` sees the number of the answer and its text; `isKeyless`: as where no keys are set. */
export function sandboxWeb(change: (text: string, number: number) => string, isKeyless = false): Web {
  const never = new AbortController().signal;
  let answers = 0;
  const get = async (url: string, request: WebRequest = {}): Promise<WebResponse> => {
    const { host, origin, pathname, searchParams } = new URL(url);
    const body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body ?? '');
    const reply = await replyFor(REPLICAS, {
      method: request.method ?? 'GET',
      host,
      origin,
      path: pathname,
      query: searchParams,
      headers: {
        cookie: 'gdId=1; zva=1',
        ...Object.fromEntries(
          Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
        ),
      },
      seed: 1,
      nowMs: NOW_MS,
      readBody: async () => body,
    });
    const text = change(reply?.body.toString() ?? '', answers++);
    return { url, status: reply?.status ?? 404, headers: { 'content-type': reply?.type ?? 'text/html' }, text };
  };
  const web = {
    get,
    page: (url: string) => get(url),
    text: async (url: string, request?: WebRequest) => (await get(url, request)).text,
    json: async (url: string, schema: { parse(value: unknown): unknown }, request?: WebRequest) =>
      schema.parse(JSON.parse((await get(url, request)).text)),
    sitemaps: async () => [],
    diagnose,
    warn() {},
    setting: (name: string) => (isKeyless ? null : (SETTINGS[name] ?? null)),
    countPage() {},
    signal: never,
    ledger: { browserMs: 0 },
  };
  return web as unknown as Web;
}
