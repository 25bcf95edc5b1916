// Google Jobs: records as arrays in the scripts of a page, escaped in one layout and plain in the other, then fragments by a cursor.
import type { Replica, SandboxReply, SandboxRequest } from '../replica.ts';
import { findJobs, type Job, jobAt } from './catalogue.ts';
import { agoText, descriptionText, hexId, html, misbehave, placeText, quirkOf } from './page.ts';

const SHARE = 70;
const PAGE_ROWS = 10;
const CAP = 900;
const KEY = '520084652';

export const googleJobs: Replica = {
  name: 'google-jobs',
  title: 'Google Jobs: the search page and its fragments',
  hosts: ['www.google.com'],
  examples: [{ url: 'https://www.google.com/search?q=nurse+jobs+near+Austin&udm=8', note: 'ten records in scripts' }],
  handle(request) {
    if (request.path === '/search' && request.query.get('udm') === '8') return firstPage(request);
    if (request.path === '/async/callback:550') return fragment(request);
    if (request.path.startsWith('/sorry/'))
      return html(
        '<html><head><title>Sorry</title></head><body><form id="captcha-form"><p>Our systems have detected unusual traffic from your computer network.</p></form></body></html>',
        429,
      );
    return undefined;
  },
};

/** "nurse jobs Full time near Austin in the last week remote", taken apart again. */
function numbersFor(request: SandboxRequest, text: string): number[] {
  const match =
    /^(.*?) jobs( Full time| Part time| Internship| Contract)?(?: near (.*?))?( since yesterday| in the last 3 days| in the last week| in the last month)?( remote)?$/.exec(
      text,
    );
  const age = match?.[4]?.trim();
  const type = match?.[2]?.trim().toLowerCase().replace(' ', '_');
  return findJobs({
    board: 'google-jobs',
    share: SHARE,
    term: match?.[1] ?? text,
    where: match?.[3] ?? null,
    type: (type as Job['type'] | undefined) ?? null,
    isRemote: match?.[5] !== undefined,
    maxAgeDays:
      age === undefined
        ? null
        : age.includes('yesterday')
          ? 1
          : age.includes('3 days')
            ? 3
            : age.includes('week')
              ? 7
              : 31,
    seed: request.seed,
    nowMs: request.nowMs,
  }).slice(0, CAP);
}

function firstPage(request: SandboxRequest): SandboxReply {
  const text = request.query.get('q') ?? '';
  const quirk = quirkOf(text);
  if (quirk === 'blocked')
    return { ...html('', 302), headers: { location: 'https://www.google.com/sorry/index?continue=x' } };
  const bad = misbehave(quirk);
  if (bad) return bad;
  const numbers = numbersFor(request, text);
  if (numbers.length === 0)
    return html(
      '<html><head><title>jobs - Google Search</title></head><body><p>Your search did not match any jobs. No results found.</p></body></html>',
    );
  const records = numbers.slice(0, PAGE_ROWS).map((number) => record(jobAt(number, request.nowMs, request.seed)));
  const isEscaped = numbers.length % 2 === 0;
  const scripts = records.map((one) => {
    const data = JSON.stringify([[null, { [KEY]: one }]]).replace(/</g, '\\u003c');
    return isEscaped
      ? `<script>(function(){var m='${data.replace(/\\/g, '\\x5c').replace(/"/g, '\\x22').replace(/'/g, '\\x27').replace(/\[/g, '\\x5b').replace(/\]/g, '\\x5d')}';})();</script>`
      : `<script>window.W_jd=${data};</script>`;
  });
  return html(
    `<!DOCTYPE html><html><head><title>jobs - Google Search</title></head><body>${scripts.join('')}${cursorDiv(text, PAGE_ROWS, numbers.length)}</body></html>`,
  );
}

const cursorDiv = (text: string, next: number, total: number): string =>
  next < total
    ? `<div jsname="Yust4d" data-async-fc="${Buffer.from(JSON.stringify([text, next])).toString('base64url')}"></div>`
    : '';

function fragment(request: SandboxRequest): SandboxReply | undefined {
  const cursor = request.query.get('fc');
  if (cursor === null) return undefined;
  const [text, from] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, number];
  const numbers = numbersFor(request, text);
  const entries = numbers
    .slice(from - 1, from + PAGE_ROWS)
    .map((number) => [
      `id${number}`,
      JSON.stringify([[null, { [KEY]: record(jobAt(number, request.nowMs, request.seed)) }]]),
    ]);
  const markup = ['markup', cursorDiv(text, from + PAGE_ROWS, numbers.length)];
  return {
    status: 200,
    type: 'text/plain; charset=utf-8',
    body: `)]}'\n22;["x"]\n${JSON.stringify([[...entries, markup]])}`,
  };
}

/** Positions are all that names the values. */
function record(job: Job): unknown[] {
  const row: unknown[] = new Array(32).fill(null);
  row[0] = job.title;
  row[1] = job.company;
  row[2] = job.isRemote ? 'Anywhere' : job.dice % 14 === 0 ? `${placeText(job)}  (+1 other)` : placeText(job);
  row[3] = job.dice % 10 === 3 ? null : [[job.applyUrl ?? `https://jobs.example/${job.number}-${job.round}`]];
  row[12] = job.dice % 12 === 0 ? null : agoText(job.ageDays);
  row[19] = descriptionText(job);
  row[28] = hexId('google', job, 20);
  return row;
}
