// One of the two client processes: its half of the users, each on a keep-alive connection of its own. Told what to do by messages: `connect`, `accept`
// (everyone sends one request at once), `poll` (until every cart is complete). What goes wrong is counted and its first cases are told.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Line, openLine } from './keep-alive.ts';
import { crowdOf, expectedTitles, PRODUCTS } from './people.ts';

const USERS = Number(process.env.CROWD_USERS);
const [PART, PARTS] = [Number(process.env.CROWD_PART), Number(process.env.CROWD_PARTS)];
const PORT = Number(process.env.TARGET_PORT);
/** A loopback address has some 28,000 ports to call from; several have enough. */
const ADDRESSES = 4;
const CONNECTING = 200;
const MAX_PROBLEMS = 5;

interface User {
  line: Line;
  items: string[];
  zipcode: string;
  id?: string;
}

const mine = crowdOf(USERS).filter((_, index) => index % PARTS === PART);
const users: User[] = [];
const counts = { errors: 0, shed: 0, wrong: 0, complete: 0, polls: 0 };
const problems: string[] = [];
const expected = new Map<string, string>();

function problem(kind: 'errors' | 'wrong', text: string): undefined {
  counts[kind]++;
  if (problems.length < MAX_PROBLEMS) problems.push(text.slice(0, 300));
}

async function connectAll(): Promise<object> {
  const queue = mine.entries();
  await Promise.all(
    Array.from({ length: CONNECTING }, async () => {
      for (const [index, ask] of queue) {
        try {
          users.push({ ...ask, line: await openLine(PORT, `127.0.0.${2 + PART * ADDRESSES + (index % ADDRESSES)}`) });
        } catch (error) {
          problem('errors', `connect: ${String(error)}`);
        }
      }
    }),
  );
  return { connected: users.length };
}

async function acceptAll(path: string, status: number, isWarmUp: boolean): Promise<object> {
  const times: number[] = [];
  const beganMs = Date.now();
  await Promise.all(
    users.map(async (user) => {
      const asked = isWarmUp ? { items: ['warm up'], zipcode: '10001' } : { items: user.items, zipcode: user.zipcode };
      const body = JSON.stringify({ ...asked, max_products_per_item: PRODUCTS });
      for (;;) {
        const reply = await user.line.ask('POST', path, body).catch((error: Error) => error);
        if (reply instanceof Error) return problem('errors', `accept: ${reply.message}`);
        if (reply.status === 503) {
          counts.shed++;
          await sleep(reply.retryAfter * 1_000);
          continue;
        }
        if (reply.status !== status) return problem('errors', `accept: ${reply.status} ${reply.body}`);
        times.push(reply.ms);
        if (status === 202) user.id = (JSON.parse(reply.body) as { job_id: string }).job_id;
        return;
      }
    }),
  );
  return { answered: times.length, beganMs, endedMs: Date.now(), times };
}

async function pollAll(limitSeconds: number): Promise<object> {
  const until = performance.now() + limitSeconds * 1_000;
  const times: number[] = [];
  await Promise.all(users.map((user) => pollOne(user, until, times)));
  return { ...counts, problems, times };
}

async function pollOne(user: User, until: number, times: number[]): Promise<void> {
  if (!user.id) return;
  await sleep(Math.random() * 2_000);
  while (performance.now() < until) {
    const reply = await user.line.ask('GET', `/results/${user.id}`).catch((error: Error) => error);
    if (reply instanceof Error) return problem('errors', `poll: ${reply.message}`);
    counts.polls++;
    times.push(reply.ms);
    if (reply.status === 503) counts.shed++;
    else if (reply.status !== 200) return problem('errors', `poll: ${reply.status} ${reply.body}`);
    else {
      const isOver = !/^\{"status":"(queued|processing)"/.test(reply.body.slice(0, 30));
      if (isOver) return judge(user, reply.body);
    }
    await sleep(Math.max(1, reply.retryAfter) * 1_000 * (0.75 + Math.random() / 2));
  }
}

function judge(user: User, body: string): undefined {
  const { status, results = {} } = JSON.parse(body) as {
    status: string;
    results?: Record<string, { title: string }[]>;
  };
  if (status !== 'complete') return problem('errors', `cart: ${body}`);
  for (const item of user.items) {
    const key = `${user.zipcode} ${item}`;
    const right = expected.get(key) ?? expectedTitles(item, user.zipcode);
    expected.set(key, right);
    const found = (results[item] ?? []).map(({ title }) => title).join('\n');
    if (found !== right)
      return problem(
        'wrong',
        `${key}: ${found.split('\n').length} products instead of ${right.split('\n').length}, first ${found.split('\n')[0] || body}`,
      );
  }
  counts.complete++;
}

process.on(
  'message',
  async (order: { id: number; name: string; path?: string; status?: number; limitSeconds?: number }) => {
    const answer =
      order.name === 'connect'
        ? await connectAll()
        : order.name === 'poll'
          ? await pollAll(order.limitSeconds!)
          : await acceptAll(order.path!, order.status!, order.name === 'warm-up');
    process.send!({ id: order.id, answer: { ...answer, problems } });
  },
);
process.once('disconnect', () => process.exit(0));
