// How the API processes on one port tell each other their metrics: over the channel between parent and child that `fork` opens. The parent asks every child,
// and a child asks the parent for what all of them say.
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { MetricPeers } from '../../compose/api.ts';
import { AppError } from '../../model/errors.ts';
import type { MetricSet } from '../../observe/metrics/registry.ts';

/** Either end of a channel. */
interface Channel {
  send(message: object): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

type Message = { metrics: 'ask'; id: string } | { metrics: 'answer'; id: string; sets: MetricSet[] };

const LIMIT_MS = 3_000;

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message;

/** Answers what the other end asks, and asks it. */
function connect(channel: Channel, answer: () => Promise<MetricSet[]>): () => Promise<MetricSet[]> {
  const asked = new Map<string, (sets: MetricSet[]) => void>();
  channel.on('message', (message) => {
    if (!isMessage(message)) return;
    const { id } = message;
    if (message.metrics === 'answer') asked.get(id)?.(message.sets);
    // Without an answer the other end says that one is missing.
    else
      answer().then(
        (sets) => channel.send({ metrics: 'answer', id, sets }),
        () => {},
      );
  });
  return () =>
    new Promise((resolve, reject) => {
      const id = randomUUID();
      const missing = new AppError('unavailable', 'An API process did not tell its metrics in time.', {
        retryAfterMs: 1_000,
      });
      const late = setTimeout(() => end(() => reject(missing)), LIMIT_MS);
      const end = (settle: () => void): void => {
        clearTimeout(late);
        asked.delete(id);
        settle();
      };
      asked.set(id, (sets) => end(() => resolve(sets)));
      channel.send({ metrics: 'ask', id });
    });
}

export interface ParentPeers extends MetricPeers {
  join(child: ChildProcess): void;
}

export function parentPeers(): ParentPeers {
  const others: (() => Promise<MetricSet[]>)[] = [];
  let own: () => Promise<MetricSet> = async () => [];
  const all = async (): Promise<MetricSet[]> => {
    const sets = await Promise.all([own().then((set) => [set]), ...others.map((ask) => ask())]);
    return sets.flat();
  };
  return {
    all,
    serve(read) {
      own = read;
    },
    join(child) {
      others.push(connect(child, all));
    },
  };
}

/** In a process that a parent has started; null in one that stands for itself. */
export function childPeers(): MetricPeers | null {
  if (!process.send) return null;
  let own: () => Promise<MetricSet> = async () => [];
  const channel: Channel = { send: (message) => process.send?.(message), on: process.on.bind(process) };
  const askParent = connect(channel, async () => [await own()]);
  return {
    all: askParent,
    serve(read) {
      own = read;
    },
  };
}
