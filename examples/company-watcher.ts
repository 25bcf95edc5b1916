// New positions of companies as they are found: in the terminal, and in Slack if SLACK_WEBHOOK_URL is set. A server has to run, and may call this machine:
//   npx windrow up --web-allow-private 127.0.0.1
//   npx windrow companies import examples/companies.yaml
//   node examples/company-watcher.ts              (in a clone after npm run build)
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient } from 'windrow/client';

const { WINDROW_URL = 'http://127.0.0.1:8000', WINDROW_API_KEY = '', SLACK_WEBHOOK_URL, PORT = '3000' } = process.env;
const windrow = createClient({ url: WINDROW_URL, key: WINDROW_API_KEY });

const receiver = createServer(async (request, response) => {
  const body = await text(request);
  if (!isSigned(request, body)) return response.writeHead(400).end();
  response.writeHead(204).end();
  const id = String(request.headers['webhook-id']);
  if (seen.has(id)) return;
  seen.add(id);
  const { data } = JSON.parse(body) as { data: { postings: { title: string; company: string; job_url: string }[] } };
  const lines = data.postings.map((one) => `${one.title} at ${one.company} ${one.job_url}`);
  for (const line of lines) console.log(line);
  if (SLACK_WEBHOOK_URL) await tellSlack(SLACK_WEBHOOK_URL, lines.join('\n')).catch(console.error);
});
await new Promise<void>((listening) => receiver.listen(Number(PORT), '127.0.0.1', listening));

/** Events may arrive twice. A watcher that has to survive a restart keeps this in a database. */
const seen = new Set<string>();
const url = `http://127.0.0.1:${PORT}/`;
const { id: webhook_id, secret } = await windrow.call('POST /webhooks', { body: { url, events: ['postings.new'] } });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

// Once now; from then on the server's own schedule `daily-companies` does it.
await windrow.call('POST /companies/scrape', { body: {} });

async function stop(): Promise<void> {
  await windrow.call('DELETE /webhooks/{webhook_id}', { path: { webhook_id } });
  receiver.close();
  receiver.closeAllConnections();
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body; a time that is long ago is a repeated request. */
function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64'));
  const given = String(signatures)
    .split(' ')
    .map((one) => Buffer.from(one.replace('v1,', '')));
  const isMatch = given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  return isMatch && Math.abs(Date.now() / 1_000 - Number(time)) < 300;
}

async function tellSlack(to: string, message: string): Promise<void> {
  const reply = await fetch(to, { method: 'POST', body: JSON.stringify({ text: message }) });
  if (!reply.ok) throw new Error(`Slack answered ${reply.status}`);
}
