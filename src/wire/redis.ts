// The wire over Redis Streams. Every call is bounded in time: a Redis that is down answers at once, one that is frozen within a second.
// Tasks are deleted from their stream in the moment a worker reads them; leases live in the store, so Redis keeps no second account
// of who has what. Reports stay in their stream until they were committed.
import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { BANDS, bandOrder } from '../model/band.ts';
import { AppError } from '../model/errors.ts';
import type { TaskMessage, WorkerBeat } from '../model/messages.ts';
import type { ReportBatch, Wire } from './port.ts';
import { createPubSub } from './redis-pubsub.ts';
import { ABANDONED_MS, claimAbandoned, createGroup, isNoGroup, SEND_SCRIPT, TAKE_SCRIPT } from './redis-streams.ts';

export interface RedisWireOptions {
  url: string;
  /** Start of every key; with Redis Cluster give it a hash tag, `{scraping}`. */
  prefix?: string;
  name?: string;
  log?: (event: string, fields: object) => void;
}

const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 1_000;
const BLOCK_MS = 1_000;
/** A stream entry may hold many reports; this many entries are read at once. */
const ENTRIES_PER_READ = 32;
const REPORTS_PER_ENTRY = 250;
const BEAT_LIFE_MS = 10_000;

/** Resolves as soon as Redis answered, or after a second without it: then every call fails at once until it is there. */
export async function openRedisWire(options: RedisWireOptions): Promise<Wire> {
  const prefix = options.prefix ?? 'scraping';
  const consumer = options.name ?? randomUUID();
  const keys = {
    tasks: (lane: string, band: string) => `${prefix}:tasks:${lane}:${band}`,
    results: `${prefix}:results`,
    epoch: `${prefix}:epoch`,
    workers: 'scrapers:workers',
    worker: (name: string) => `scrapers:worker:${name}`,
  };
  const say = throttle((error: Error) => options.log?.('wire.error', { error: error.message }));
  const connections: Redis[] = [];
  const connect = (extra: RedisOptions): Redis => {
    const redis = new Redis(options.url, { ...CONNECTION, ...extra });
    redis.on('error', say);
    connections.push(redis);
    return redis;
  };
  const commands = connect({ commandTimeout: COMMAND_TIMEOUT_MS });
  commands.defineCommand('sendTasks', { lua: SEND_SCRIPT });
  commands.defineCommand('takeTasks', { lua: TAKE_SCRIPT });
  const scripts = commands as unknown as Scripts;
  // A blocking read owns its connection; made when a process first reads.
  const taking = lazy(() => firstReady(connect({ commandTimeout: BLOCK_MS + 2_000 })));
  const reading = lazy(() => firstReady(connect({ commandTimeout: BLOCK_MS + 2_000 })));
  const pubsub = createPubSub({ commands, connect, prefix, log: say });
  await firstReady(commands);
  let takes = 0;
  let claimedAt = 0;
  let closed = false;

  async function takeNow(lanes: string[], max: number): Promise<TaskMessage[]> {
    const streams = bandOrder(takes++).flatMap((band) => lanes.map((lane) => keys.tasks(lane, band)));
    const raw = await withGroups(streams, 'workers', () =>
      scripts.takeTasks(streams.length, ...streams, consumer, max),
    );
    return raw.map((text) => JSON.parse(text) as TaskMessage);
  }

  async function waitForTasks(lanes: string[]): Promise<TaskMessage[]> {
    const redis = await taking();
    const streams = BANDS.flatMap((band) => lanes.map((lane) => keys.tasks(lane, band)));
    const ids = streams.map(() => '>');
    const read = (): Promise<StreamReply> =>
      redis.xreadgroup(
        'GROUP',
        'workers',
        consumer,
        'COUNT',
        1,
        'BLOCK',
        BLOCK_MS,
        'NOACK',
        'STREAMS',
        ...streams,
        ...ids,
      ) as Promise<StreamReply>;
    const reply = await withGroups(streams, 'workers', read);
    if (!reply) return [];
    const gone = commands.pipeline();
    const tasks: TaskMessage[] = [];
    for (const [stream, entries] of reply) {
      gone.xdel(stream, ...entries.map(([id]) => id));
      for (const [, fields] of entries) tasks.push(JSON.parse(fields[1]!) as TaskMessage);
    }
    // Losing this only makes the stream look longer; the entry was delivered and is not read again.
    await gone.exec().catch(say);
    return tasks;
  }

  async function withGroups<T>(streams: string[], group: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isNoGroup(error)) throw error;
      for (const stream of streams) await createGroup(commands, stream, group);
      return read();
    }
  }

  async function readEntries(): Promise<[string, string[]][]> {
    if (Date.now() - claimedAt > ABANDONED_MS / 3) {
      claimedAt = Date.now();
      const abandoned = await claimAbandoned(commands, keys.results, consumer);
      if (abandoned.length > 0) return abandoned;
    }
    const redis = await reading();
    const read = (): Promise<StreamReply> =>
      redis.xreadgroup(
        'GROUP',
        'orchestrators',
        consumer,
        'COUNT',
        ENTRIES_PER_READ,
        'BLOCK',
        BLOCK_MS,
        'STREAMS',
        keys.results,
        '>',
      ) as Promise<StreamReply>;
    const reply = await withGroups([keys.results], 'orchestrators', read);
    return reply?.[0]?.[1] ?? [];
  }

  return {
    async epoch() {
      const known = await commands.get(keys.epoch);
      if (known) return known;
      await commands.set(keys.epoch, randomUUID(), 'NX');
      return (await commands.get(keys.epoch)) ?? 'none';
    },
    async sendTasks(lane, band, tasks) {
      await scripts.sendTasks(1, keys.tasks(lane, band), ...tasks.map((task) => task.text));
    },
    async untaken(lane) {
      const ids = new Set<string>();
      for (const band of BANDS) {
        for (const [, fields] of await commands.xrange(keys.tasks(lane, band), '-', '+'))
          ids.add((JSON.parse(fields[1]!) as TaskMessage).task_id);
      }
      return ids;
    },
    async depth(lane) {
      const lengths = await Promise.all(BANDS.map((band) => commands.xlen(keys.tasks(lane, band))));
      return lengths.reduce((sum, length) => sum + length, 0);
    },
    cancel: (tasks) => pubsub.publish('cancel', tasks),
    onCancel: (listener) => pubsub.subscribe('cancel', listener),
    async takeTasks(lanes, max, signal) {
      const ready = await takeNow(lanes, max);
      if (ready.length > 0 || signal.aborted) return ready;
      // The blocking read brings one task of each stream; what came along with it is taken in one go.
      const first = await waitForTasks(lanes);
      return first.length === 0 || first.length >= max
        ? first
        : [...first, ...(await takeNow(lanes, max - first.length))];
    },
    async report(reports) {
      const pipeline = commands.pipeline();
      for (let at = 0; at < reports.length; at += REPORTS_PER_ENTRY) {
        pipeline.xadd(keys.results, '*', 'data', JSON.stringify(reports.slice(at, at + REPORTS_PER_ENTRY)));
      }
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    },
    async readReports(_max, signal): Promise<ReportBatch> {
      const entries = signal.aborted ? [] : await readEntries();
      const reports = entries.flatMap(([, fields]) => parseEntry(fields[1]));
      return {
        reports,
        async ack() {
          if (entries.length === 0) return;
          const ids = entries.map(([id]) => id);
          await commands
            .pipeline()
            .xack(keys.results, 'orchestrators', ...ids)
            .xdel(keys.results, ...ids)
            .exec();
        },
      };
    },
    backlog: () => commands.xlen(keys.results),
    async beat(beat) {
      const text = JSON.stringify(beat);
      await commands
        .pipeline()
        .set(keys.worker(beat.worker), text, 'PX', BEAT_LIFE_MS)
        .sadd(keys.workers, beat.worker)
        .publish('scrapers:health', text)
        .exec();
    },
    async workers() {
      const names = await commands.smembers(keys.workers);
      if (names.length === 0) return [];
      const beats = await commands.mget(names.map(keys.worker));
      const dead = names.filter((_name, index) => beats[index] === null);
      if (dead.length > 0) await commands.srem(keys.workers, ...dead);
      return beats.filter((text) => text !== null).map((text) => JSON.parse(text) as WorkerBeat);
    },
    publish: (updates) => pubsub.publish('updates', updates),
    onUpdates: (listener) => pubsub.subscribe('updates', listener),
    wake: () => pubsub.wake(),
    onWake: (listener) => pubsub.subscribe('wake', listener),
    async ping() {
      const started = performance.now();
      await commands.ping();
      return performance.now() - started;
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const redis of connections) redis.disconnect();
    },
  };
}

/** What defineCommand adds to the client; the first argument is the number of keys. */
interface Scripts {
  sendTasks(keys: number, ...rest: string[]): Promise<number>;
  takeTasks(keys: number, ...rest: (string | number)[]): Promise<string[]>;
}

type StreamReply = [stream: string, entries: [id: string, fields: string[]][]][] | null;

/** Fail at once while disconnected, come back within two seconds of Redis doing so. */
const CONNECTION: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // A half-open connection is noticed by the command timeout; without this it would be waited for when closing.
  disconnectTimeout: 1_000,
  retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), 1_000) + Math.random() * 500,
};

/** Commands on a connection that is still being made would fail; waits for it, but no longer than a connect may take. */
function firstReady(redis: Redis): Promise<Redis> {
  if (redis.status === 'ready') return Promise.resolve(redis);
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      redis.off('ready', done);
      resolve(redis);
    };
    const timer = setTimeout(done, CONNECT_TIMEOUT_MS);
    redis.once('ready', done);
  });
}

/** An entry holds one report or a list of them; what is no JSON is handed on as it is, for the recorder to refuse and count. */
function parseEntry(text: string | undefined): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return Array.isArray(value) ? value : [value];
  } catch {
    return [text];
  }
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** At most one line a second, however fast a broken connection fails. */
function throttle(log: (error: Error) => void): (error: Error) => void {
  let last = 0;
  return (error) => {
    if (Date.now() - last < 1_000) return;
    last = Date.now();
    log(error);
  };
}

/** Checks the server once at start-up: too old or able to evict what we sent is an operator's mistake, not an outage. */
export async function checkRedis(url: string): Promise<{ version: string; warnings: string[] }> {
  const redis = new Redis(url, {
    ...CONNECTION,
    lazyConnect: true,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: () => null,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    const info = await redis.info();
    const version = /redis_version:(\S+)/.exec(info)?.[1] ?? '0';
    if (Number.parseInt(version, 10) < 7)
      throw new AppError('invalid_params', `Redis ${version} is too old; 7 or newer is needed.`);
    const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1];
    const warnings =
      policy && policy !== 'noeviction'
        ? [`maxmemory-policy is ${policy}; set it to noeviction so that tasks are not evicted`]
        : [];
    return { version, warnings };
  } finally {
    redis.disconnect();
  }
}
