import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../model/errors.ts';
import type { Item } from '../../model/item/item.ts';
import type { Web } from '../../web/port.ts';
import { collectNotes } from '../notes.ts';
import { createReading, type Reading, type ReadingLimits } from './reading.ts';

const script = new URL('../../../tests/support/roles/hostile-thread.ts', import.meta.url);
const open: Reading[] = [];
afterEach(async () => {
  for (const reading of open.splice(0)) await reading.close();
});

const make = (threads: number, limits: Partial<ReadingLimits> = {}): Reading => {
  const reading = createReading({ script, more: null, threads, limits });
  open.push(reading);
  return reading;
};

/** A web whose page says what its host is called, when `hold` lets it. */
function webOf(asked: string[], hold: (url: string) => Promise<void> = async () => {}): Web {
  const ledger = { warnings: [] as string[], pages: 0 };
  return {
    async get(url: string) {
      asked.push(url);
      await hold(url);
      return { url, status: 200, headers: {}, text: new URL(url).hostname.split('.')[0]! };
    },
    warn: (message: string) => ledger.warnings.push(message),
    countPage: () => {
      ledger.pages++;
    },
    ledger,
  } as unknown as Web;
}

interface Ran {
  items: Item[];
  asked: string[];
  notes: ReturnType<typeof collectNotes>;
  pages(): number;
  ended: Promise<AppError | null>;
  stop: AbortController;
}

function run(
  reading: Reading,
  source: string,
  params: Record<string, unknown>,
  more: { hold?: (url: string) => Promise<void>; onItem?: (item: Item) => void | Promise<void> } = {},
): Ran {
  const stop = new AbortController();
  const asked: string[] = [];
  const items: Item[] = [];
  const notes = collectNotes();
  const web = webOf(asked, more.hold);
  const ended = reading
    .run({
      source,
      params,
      notes: notes.notes,
      signal: stop.signal,
      openWeb: () => web,
      onItem(item) {
        items.push(item);
        return more.onItem?.(item);
      },
    })
    .then(
      () => null,
      (error) => error as AppError,
    );
  return { items, asked, notes, pages: () => (web.ledger as unknown as { pages: number }).pages, ended, stop };
}

const page = (host: string, pages = 1) => ({ url: `https://${host}.test/`, pages });

test('items, counts and errors of a source come from its thread', async () => {
  const reading = make(1);
  const good = run(reading, 'hostile', page('good', 3));
  expect(await good.ended).toBeNull();
  expect(good.items.map((item) => (item as { url: string }).url)).toEqual(
    [1, 2, 3].map((n) => `https://good.test/?page=${n}`),
  );
  expect(good.pages()).toBe(3);
  expect(await run(reading, 'nobody', {}).ended).toMatchObject({ code: 'unknown_source' });
  expect(await run(reading, 'hostile', {}).ended).toMatchObject({ code: 'invalid_params' });
  const refused = run(reading, 'hostile', page('good'), {
    hold: () => Promise.reject(new AppError('blocked', 'no entry', { retryAfterMs: 5 })),
  });
  expect(await refused.ended).toMatchObject({ code: 'blocked', message: 'no entry', retryAfterMs: 5 });
});

test.each(['loop', 'backtrack', 'later'])(
  'F15: a page that makes its reader %s ends as unreadable, and what shares the thread goes on without asking again',
  async (act) => {
    const reading = make(1, { pageCpuMs: 800, slowCpuMs: 100 });
    const answered = Promise.withResolvers<void>();
    let asked = 0;
    const neighbour = run(reading, 'hostile', page('good', 3), {
      hold: async () => {
        asked += 1;
        if (asked === 3) await answered.promise;
      },
    });
    while (asked < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    const bad = run(reading, 'hostile', page(act));
    while (bad.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    answered.resolve();
    expect(await bad.ended).toMatchObject({
      code: 'unreadable',
      message: `unreadable page: took too long (https://${act}.test/?page=1)`,
    });
    expect(await neighbour.ended).toBeNull();
    expect(neighbour.items.map((item) => (item as { url: string }).url.slice(-1))).toEqual(['1', '2', '3']);
    expect(neighbour.pages()).toBe(3);
    expect(asked).toBe(3);
    expect(await run(reading, 'hostile', page('good')).ended).toBeNull();
  },
);

test('F15: a page that fills the memory ends as unreadable', async () => {
  const reading = make(1, { heapMb: 64, pageCpuMs: 60_000 });
  expect(await run(reading, 'hostile', page('fill')).ended).toMatchObject({
    code: 'unreadable',
    message: 'unreadable page: needed too much memory (https://fill.test/?page=1)',
  });
});

test('F12: a source that ends its thread fails, and the others go on', async () => {
  const reading = make(1);
  const waits = Promise.withResolvers<void>();
  const neighbour = run(reading, 'hostile', page('good', 2), { hold: () => waits.promise });
  expect(await run(reading, 'hostile', page('exit')).ended).toMatchObject({ code: 'internal' });
  expect(await run(reading, 'hostile', page('throws')).ended).toMatchObject({ code: 'internal' });
  waits.resolve();
  expect(await neighbour.ended).toBeNull();
  expect(neighbour.items).toHaveLength(2);
});

test('more slow pages than places for them wait in line, and all end', async () => {
  const reading = make(2, { pageCpuMs: 400, slowCpuMs: 100, slow: 1 });
  const bad = Array.from({ length: 4 }, (_, n) => run(reading, 'hostile', page(n % 2 ? 'loop' : 'backtrack')));
  const good = run(reading, 'hostile', page('good'));
  expect(await good.ended).toBeNull();
  for (const one of bad) expect(await one.ended).toMatchObject({ code: 'unreadable' });
});

test('a run that is moved is given its answers in the order in which they came', async () => {
  const reading = make(1, { pageCpuMs: 600, slowCpuMs: 100 });
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const last = Promise.withResolvers<void>();
  const eager = run(
    reading,
    'eager',
    { url: 'https://good.test/', pages: 4 },
    {
      hold: (url) => (url.endsWith('last') ? last.promise : gates[Number(url.at(-1))]!.promise),
    },
  );
  while (eager.asked.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const gate of [2, 0, 3, 1]) {
    gates[gate]!.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
  while (eager.asked.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
  const bad = run(reading, 'hostile', page('loop'));
  while (bad.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  last.resolve();
  expect(await bad.ended).toMatchObject({ code: 'unreadable' });
  expect(await eager.ended).toBeNull();
  expect(eager.notes.metadata().incomplete).toEqual([2, 0, 3, 1].map((n) => `page ${n}`));
  expect(eager.asked).toHaveLength(5);
});

test('a hundred thousand rows come through with few under way, and rows that cannot be read are counted', async () => {
  const reading = make(1);
  let waiting = 0;
  let most = 0;
  const rows = run(
    reading,
    'wide',
    { rows: 5_000, bad: 100_000 },
    {
      async onItem() {
        most = Math.max(most, ++waiting);
        if (waiting % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
        waiting--;
      },
    },
  );
  expect(await rows.ended).toBeNull();
  expect(rows.items).toHaveLength(5_000);
  expect(most).toBeLessThan(200);
  expect(rows.notes.metadata()).toMatchObject({ incomplete: ['99500 more rows could not be read'] });
});

test('cancelling ends a run at once, and closing ends what is left', async () => {
  const reading = make(1);
  const never = () => new Promise<void>(() => {});
  const cancelled = run(reading, 'hostile', page('good'), { hold: never });
  cancelled.stop.abort(new AppError('cancelled', 'enough'));
  expect(await cancelled.ended).toMatchObject({ message: 'enough' });
  const left = run(reading, 'hostile', page('good'), { hold: never });
  await reading.close();
  expect(await left.ended).toMatchObject({ code: 'cancelled' });
});
