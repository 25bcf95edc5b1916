// Reads WARC files of workers: for each task what it was asked, every exchange with the web, and the items that it read.
// What a reader would get wrong: a task may have had several attempts, and records of tasks that ran side by side are mixed. An attempt that began anew replaces what the one before
// it read; one that went on from a checkpoint adds to it.
import { createReadStream } from 'node:fs';
import { hideInBody } from '../../model/secrets.ts';
import type { AttemptNote } from './archive.ts';
import { withoutSecrets } from './archive.ts';

export interface ArchivedExchange {
  method: string;
  url: string;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  date: string;
}

export interface ArchivedTask {
  /** Null: archived without a task. */
  id: string | null;
  runId: string | null;
  source: string | null;
  /** Parameters, secrets hidden. Null: of a version that did not note them. */
  params: Record<string, unknown> | null;
  /** Names of what configuration gave the source. */
  settings: readonly string[];
  /** By `keyOf`; of a request that was made several times the last answer. */
  exchanges: Map<string, ArchivedExchange>;
  items: unknown[];
}

export interface ArchiveContent {
  tasks: ArchivedTask[];
  /** Of each origin that was asked. */
  robots: Map<string, string>;
}

const ROBOTS = 'robots.txt';

/** As requests are told apart: without secrets, as they are in the archive. */
export const keyOf = (method: string, url: string, body = ''): string =>
  `${method} ${withoutSecrets(new URL(url)).href} ${hideInBody(body)}`;

/** `id`: only of this run, or this task. */
export async function readArchive(files: readonly string[], id?: string): Promise<ArchiveContent> {
  const { WARCParser } = await import('warcio');
  const tasks = new Map<string, ArchivedTask>();
  const robots = new Map<string, string>();
  for (const file of files) {
    const stream = createReadStream(file);
    /** A response stands before its request. */
    let answer: { task: ArchivedTask; exchange: ArchivedExchange } | null = null;
    try {
      for await (const record of new WARCParser(stream)) {
        const source = record.warcHeader('Windrow-Source') ?? null;
        const runId = record.warcHeader('Windrow-Run') ?? null;
        const taskId = record.warcHeader('Windrow-Task') ?? null;
        const isRobots = source === ROBOTS;
        if (!isRobots && id !== undefined && id !== runId && id !== taskId) continue;
        const content = Buffer.from((await record.readFully(true)) ?? new Uint8Array());
        const url = record.warcTargetURI ?? '';
        if (record.warcType === 'response') {
          const status = Number(record.httpHeaders?.statusCode ?? 0);
          if (isRobots) {
            if (status === 200) robots.set(new URL(url).origin, content.toString());
            continue;
          }
          const headers = Object.fromEntries(
            [...(record.httpHeaders?.headers.entries() ?? [])].map(([name, value]) => [name.toLowerCase(), value]),
          );
          const exchange = { method: 'GET', url, status, headers, body: content, date: record.warcDate ?? '' };
          answer = { task: taskOf(tasks, taskId, runId, source), exchange };
        } else if (record.warcType === 'request' && answer?.exchange.url === url) {
          const { task, exchange } = answer;
          exchange.method = record.httpHeaders?.statusline.split(' ', 1)[0] ?? 'GET';
          task.exchanges.set(keyOf(exchange.method, url, content.toString()), exchange);
          answer = null;
        } else if (record.warcType === 'metadata' && url.startsWith('urn:windrow:task:'))
          addNote(taskOf(tasks, taskId, runId, source), JSON.parse(content.toString()) as AttemptNote);
      }
    } finally {
      stream.destroy();
    }
  }
  return { tasks: [...tasks.values()], robots };
}

function taskOf(
  tasks: Map<string, ArchivedTask>,
  id: string | null,
  runId: string | null,
  source: string | null,
): ArchivedTask {
  const name = id ?? `${runId} ${source}`;
  const known = tasks.get(name);
  if (known) return known;
  const task: ArchivedTask = { id, runId, source, params: null, settings: [], exchanges: new Map(), items: [] };
  tasks.set(name, task);
  return task;
}

function addNote(task: ArchivedTask, note: AttemptNote): void {
  // One by one: a large board has more items than a function takes arguments.
  if ('items' in note) for (const item of note.items) task.items.push(item);
  else {
    task.params = note.asked.params;
    task.settings = note.asked.settings ?? [];
    if (!note.asked.goesOn) task.items = [];
  }
}
