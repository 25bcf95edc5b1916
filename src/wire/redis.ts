// The wire over Redis Streams. Every call has a time limit: it fails at once if Redis is down, and within a second if it is frozen.
// A task is deleted from its stream when a worker reads it; leases are in the store, so Redis keeps no second record of who has what. Reports stay in
// their stream until they were committed.
import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { AppError } from '../model/errors.ts';
import { parseRedisUrl, redisAddress } from '../model/server/redis-url.ts';
import { BANDS, bandOrder, laneOrder } from '../model/task/band.ts';
import type { TaskMessage } from '../model/task/messages.ts';
import { withOutages } from '../model/task/outage.ts';
import { type KeyType, setAside, withRepair } from '../model/task/wrong-type.ts';
import type { ReportBatch, Wire } from './port.ts';
import {
  connectionOptions,
  connectRedis,
  firstReady,
  oncePerSecond,
  PATIENCE_MS,
  serverOptions,
} from './redis-connection.ts';
import { createDrains } from './redis-drains.ts';
import { createEvidenceStream } from './redis-evidence.ts';
import { createHeartbeats } from './redis-heartbeats.ts';
import { createPubSub } from './redis-pubsub.ts';
import { createReportSender } from './redis-reports.ts';
import { ABANDONED_MS, claimAbandoned, createGroup, isNoGroup, SEND_SCRIPT, TAKE_SCRIPT } from './redis-streams.ts';

export interface RedisWireOptions {
  url: string;
  /** Start of every key. */
  prefix?: string;
  name?: string;
  /** Reports read and not acknowledged for this long are delivered again. */
  abandonedMs?: number;
  /** How long Redis may take to answer before a call has failed; a second by default. */
  patienceMs?: number;
  log?: (event: string, fields: object) => void;
}

const DEFAULT_PREFIX = 'scraping';
const BLOCK_MS = 1_000;
/** A heartbeat that takes this many times as long is still worth more than none. */
const HEARTBEAT_PATIENCE = 3;
/** A stream entry may hold many reports; this many entries are read at once. */
const ENTRIES_PER_READ = 32;
/** More than all readers of a process have in hand. */
const PENDING_PER_READ = 1_000;

/** Resolves as soon as Redis answered, or after a second without it: then every call fails at once until it is there. */
export async function openRedisWire(options: RedisWireOptions): Promise<Wire> {
  const prefix = options.prefix ?? DEFAULT_PREFIX;
  // With another prefix, names of the contract without a prefix get it too, so that two installations can share one Redis.
  const named = (name: string): string => (prefix === DEFAULT_PREFIX ? name : `${prefix}:${name}`);
  const abandonedMs = options.abandonedMs ?? ABANDONED_MS;
  const patienceMs = options.patienceMs ?? PATIENCE_MS;
  const consumer = options.name ?? randomUUID();
  /** Lanes that this process has to do with. */
  const lanesUsed = new Set<string>();
  const keys = {
    tasks(lane: string, band: string) {
      lanesUsed.add(lane);
      return `${prefix}:tasks:${lane}:${band}`;
    },
    bell: (lane: string) => `${prefix}:bell:${lane}`,
    results: `${prefix}:results`,
    evidence: `${prefix}:evidence`,
    epoch: `${prefix}:epoch`,
    drains: `${prefix}:drains`,
    workers: named('scrapers:workers'),
    worker: (name: string) => named(`scrapers:worker:${name}`),
    held: (name: string) => named(`scrapers:held:${name}`),
    health: named('scrapers:health'),
    errors: named('scrapers:errors'),
  };
  const say = oncePerSecond((error: Error) => options.log?.('wire.error', { error: error.message }));
  const connections: Redis[] = [];
  const connect = (extra: RedisOptions): Redis => {
    const redis = connectRedis(options.url, { patienceMs, onError: say, ...extra });
    connections.push(redis);
    return redis;
  };
  const commands = connect({ commandTimeout: patienceMs });
  commands.defineCommand('sendTasks', { lua: SEND_SCRIPT });
  commands.defineCommand('takeTasks', { lua: TAKE_SCRIPT });
  const scripts = commands as unknown as Scripts;
  // A blocking read owns its connection; made when a process first reads.
  const blocking = () => firstReady(connect({ commandTimeout: BLOCK_MS + 2 * patienceMs }), patienceMs);
  const taking = lazy(blocking);
  const reading = lazy(blocking);
  const reports = createReportSender({
    // Its time limit is that of the batch; waiting for an answer to a large one is no sign of a broken connection.
    connection: lazy(() => firstReady(connect({ socketTimeout: undefined }), patienceMs)),
    stream: keys.results,
    errors: keys.errors,
    patienceMs,
  });
  const evidence = createEvidenceStream({
    connection: lazy(() => firstReady(connect({ socketTimeout: undefined }), patienceMs)),
    stream: keys.evidence,
    patienceMs,
  });
  const heartbeats = createHeartbeats({
    connection: lazy(() => firstReady(connect({ commandTimeout: HEARTBEAT_PATIENCE * patienceMs }), patienceMs)),
    keys,
  });
  const channels = {
    cancel: `${prefix}:cancel`,
    wishes: `${prefix}:evidence-wishes`,
    drains: `${prefix}:drains-told`,
    updates: named('job_updates'),
    wake: `${prefix}:wake`,
  };
  const pubsub = createPubSub({ commands, connect, channels, log: say });
  await firstReady(commands, patienceMs);
  const takingTurns = turns();
  const readingTurns = turns();
  let takes = 0;
  let claimedAt = 0;
  /** Entries that were read and are not acknowledged yet. */
  const inHand = new Set<string>();
  /** A read failed: what Redis had answered, or answers late, is ours and nobody works on it. */
  let mayHaveMissed = false;
  let closed = false;

  /** A replica that became the server has the epoch, but perhaps not the last of what was sent. */
  const isReplicated = parseRedisUrl(options.url)?.master != null;
  const serverId = async (): Promise<string> => /run_id:(\w+)/.exec(await commands.info('server'))?.[1] ?? '';

  async function repairKeys(): Promise<void> {
    const streams = [...lanesUsed].flatMap((lane) =>
      BANDS.map((band): [string, KeyType] => [keys.tasks(lane, band), 'stream']),
    );
    const tasks = await setAside(commands, streams);
    // Another epoch: tasks that no worker has claimed are sent again.
    if (tasks.length > 0) await commands.del(keys.epoch);
    const others = await setAside(commands, [
      [keys.epoch, 'string'],
      [keys.drains, 'string'],
      [keys.results, 'stream'],
      [keys.evidence, 'stream'],
      [keys.workers, 'set'],
      ...[...lanesUsed].map((lane): [string, KeyType] => [keys.bell(lane), 'list']),
    ]);
    const names = await commands.smembers(keys.workers);
    const held = await setAside(
      commands,
      names.map((name): [string, KeyType] => [keys.held(name), 'string']),
    );
    for (const moved of [...tasks, ...others, ...held]) options.log?.('wire.key_moved', moved);
  }

  async function takeNow(lanes: string[], max: number): Promise<TaskMessage[]> {
    const inTurn = laneOrder(lanes, takes);
    const streams = bandOrder(takes++).flatMap((band) => inTurn.map((lane) => keys.tasks(lane, band)));
    const bells = lanes.map(keys.bell);
    const raw = await scripts.takeTasks(streams.length + bells.length, ...streams, ...bells, max, streams.length);
    return raw.map((text) => JSON.parse(text) as TaskMessage);
  }

  async function readEntries(): Promise<[string, string[]][]> {
    if (Date.now() - claimedAt > abandonedMs / 3) {
      claimedAt = Date.now();
      const abandoned = await claimAbandoned(commands, { stream: keys.results, consumer, idleMs: abandonedMs });
      if (abandoned.length > 0) return abandoned;
    }
    const redis = await reading();
    const group = ['GROUP', 'orchestrators', consumer, 'COUNT'] as const;
    const streams = ['STREAMS', keys.results] as const;
    try {
      if (mayHaveMissed) {
        const mine = (await redis.xreadgroup(...group, PENDING_PER_READ, ...streams, '0')) as StreamReply;
        const missed = (mine?.[0]?.[1] ?? []).filter(([id, fields]) => fields && !inHand.has(id));
        mayHaveMissed = missed.length > 0;
        if (missed.length > 0) return missed;
      }
      const reply = (await redis.xreadgroup(
        ...group,
        ENTRIES_PER_READ,
        'BLOCK',
        BLOCK_MS,
        ...streams,
        '>',
      )) as StreamReply;
      return reply?.[0]?.[1] ?? [];
    } catch (error) {
      mayHaveMissed = true;
      if (!isNoGroup(error)) throw error;
      await createGroup(commands, keys.results, 'orchestrators');
      return readEntries();
    }
  }

  const calls: Wire = {
    async epoch() {
      const known = await commands.get(keys.epoch);
      if (!known) await commands.set(keys.epoch, randomUUID(), 'NX');
      const epoch = known ?? (await commands.get(keys.epoch)) ?? 'none';
      return isReplicated ? `${epoch}:${await serverId()}` : epoch;
    },
    async sendTasks(lane, band, tasks) {
      await scripts.sendTasks(2, keys.tasks(lane, band), keys.bell(lane), ...tasks.map((task) => task.text));
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
    askEvidence: (wishes) => pubsub.publish('wishes', wishes),
    onEvidenceAsked: (listener) => pubsub.subscribe('wishes', listener),
    ...createDrains({ commands, key: keys.drains, pubsub }),
    sendEvidence: evidence.send,
    readEvidence: evidence.read,
    async takeTasks(lanes, max, signal) {
      const ready = await takeNow(lanes, max);
      if (ready.length > 0 || signal.aborted) return ready;
      // Waiting takes no task: if the worker crashes here, or an answer is lost, no task is lost.
      await takingTurns(async () => (await taking()).blpop(lanes.map(keys.bell), BLOCK_MS / 1_000));
      return signal.aborted ? [] : takeNow(lanes, max);
    },
    report: reports.send,
    async readReports(_max, signal): Promise<ReportBatch> {
      const entries = await readingTurns(async () => (signal.aborted ? [] : readEntries()));
      const reports = entries.flatMap(([, fields]) => parseEntry(fields[1]));
      const ids = entries.map(([id]) => id);
      for (const id of ids) inHand.add(id);
      return {
        reports,
        async ack() {
          if (ids.length === 0) return;
          // If it fails, they are delivered again.
          for (const id of ids) inHand.delete(id);
          await commands
            .pipeline()
            .xack(keys.results, 'orchestrators', ...ids)
            .xdel(keys.results, ...ids)
            .exec();
        },
      };
    },
    backlog: () => commands.xlen(keys.results),
    async backlogMs() {
      const [[seconds], [oldest]] = await Promise.all([
        commands.time(),
        commands.xrange(keys.results, '-', '+', 'COUNT', 1),
      ]);
      return oldest ? Math.max(0, seconds! * 1_000 - Number.parseInt(oldest[0], 10)) : 0;
    },
    ...heartbeats,
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
  return withOutages('Redis', withRepair(calls, repairKeys));
}

/** What defineCommand adds to the client; the first argument is the number of keys. */
interface Scripts {
  sendTasks(keys: number, ...rest: string[]): Promise<number>;
  takeTasks(keys: number, ...rest: (string | number)[]): Promise<string[]>;
}

type StreamReply = [stream: string, entries: [id: string, fields: string[]][]][] | null;

/** An entry holds one report or a list of them; invalid JSON is passed on unchanged, so that the recorder refuses and counts it. */
function parseEntry(text: string | undefined): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return Array.isArray(value) ? value : [value];
  } catch {
    return [text];
  }
}

/**
 * One after another. A blocking read that waits behind others on its connection would time out there, and the entries that Redis returns for it later
 * would be lost.
 */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Checks the server for mistakes in its setup: too old, or an eviction policy that may delete tasks. */
export async function checkRedis(url: string): Promise<{ version: string; warnings: string[] }> {
  const redis = new Redis({
    ...serverOptions(url),
    ...connectionOptions(PATIENCE_MS),
    lazyConnect: true,
    commandTimeout: PATIENCE_MS,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  // The event has the reason; the call only says that the connection is closed.
  let reason: Error | undefined;
  redis.on('error', (error) => {
    reason ??= error;
  });
  try {
    await redis.connect().catch((error: unknown) => Promise.reject(reason ?? error));
    const info = await redis.info();
    const version = /redis_version:(\S+)/.exec(info)?.[1] ?? '0';
    if (Number.parseInt(version, 10) < 7)
      throw new AppError('invalid_params', `Redis ${version} is too old. Redis 7 or newer is needed.`);
    if (/cluster_enabled:1/.test(info))
      throw new AppError(
        'invalid_config',
        `${redisAddress(url)} (REDIS_URL) is a node of a Redis Cluster, which Windrow does not work with. Use one Redis, or several behind Sentinel: redis+sentinel://host,host/name.`,
      );
    const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1];
    const warnings =
      policy && policy !== 'noeviction'
        ? [`maxmemory-policy is ${policy}: set it to noeviction, or Redis may evict tasks`]
        : [];
    return { version, warnings };
  } finally {
    redis.disconnect();
  }
}
