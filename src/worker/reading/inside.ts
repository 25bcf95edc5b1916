// The inside of a reading thread: runs sources whose web is in the main thread. Requests, items and notes are said in one order, several in a message, and
// no more items are under way than the main thread has acknowledged, so that a page of a hundred thousand rows fills neither thread.
import timers from 'node:timers';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../model/errors.ts';
import { originsOf } from '../../model/provenance/origins.ts';
import type { Notes, Source } from '../../sources/define.ts';
import { diagnose } from '../../web/blocks/blocks.ts';
import { parseJson } from '../../web/http/json.ts';
import type { Web, WebLedger, WebResponse } from '../../web/port.ts';
import { NOTES_MAX } from '../notes.ts';
import { checkedParams, foundSource } from '../run-source.ts';
import {
  type Answer,
  AT,
  type Effect,
  fromPlain,
  type Question,
  type Said,
  type ToThread,
  toPlain,
  watchOf,
} from './messages.ts';
import { createTurns, threadCpuMs } from './turns.ts';

/** What a thread is started with; `more` is for its script. */
export interface ThreadData {
  watch: SharedArrayBuffer;
  /** CPU that one task may use, in ms. */
  taskCpuMs: number;
  more: unknown;
}

export interface ReadingOptions {
  sourceOf(name: string): Source | undefined | Promise<Source | undefined>;
  /** SOURCE_SETTINGS. */
  settingOf(source: string, name: string): string | null;
}

/** Effects that may be under way, and how many are sent together. */
const WINDOW = 100;
const SLICE = 25;
/** What was said waits no longer than this for more to be sent with it, unless one turn takes longer. */
const SAY_WITHIN_MS = 5;

/** Before turns.ts makes timers belong to runs. */
const { setImmediate: soon } = timers;

export const TOO_LONG = 'unreadable page: took too long';

type Run = Extract<ToThread, { type: 'run' }>;

export function answerReading({ sourceOf, settingOf }: ReadingOptions): void {
  const port = parentPort!;
  const { watch: memory, taskCpuMs } = workerData as ThreadData;
  const watch = watchOf(memory);
  const running = new Map<number, Running>();
  let said: Said[] = [];
  let saidAt = 0;

  const send = (): void => {
    if (said.length === 0) return;
    const all = said;
    said = [];
    try {
      port.postMessage({ type: 'said', said: all });
    } catch {
      // Something in it cannot be sent, a function for example: that one run is over.
      for (const one of all) sendOne(one);
    }
  };
  const sendOne = (one: Said): void => {
    try {
      port.postMessage({ type: 'said', said: [one] });
    } catch (thrown) {
      const error = new AppError('invalid_item', `it cannot be sent: ${String(thrown)}`);
      port.postMessage({ type: 'said', said: [{ type: 'ended', id: one.id, error: toPlain(error) }] });
    }
  };
  const say = (one: Said): void => {
    if (said.length === 0) saidAt = threadCpuMs();
    said.push(one);
  };
  const turns = createTurns(watch, send);

  // A turn of the loop for each, so that what it wakes has run before the next begins.
  port.on('message', (messages: ToThread[]) => {
    for (const message of messages) soon(hear, message);
  });

  function hear(message: ToThread): void {
    Atomics.add(watch.counts, AT.taken, 1);
    if (said.length > 0 && threadCpuMs() - saidAt > SAY_WITHIN_MS) send();
    turns.begin(message.id);
    if (message.type === 'run') void run(message);
    else running.get(message.id)?.hear(message);
  }

  async function run(order: Run): Promise<void> {
    const { id } = order;
    let error: unknown = null;
    try {
      const one = createRunning(id, order, {
        say,
        send,
        settingOf,
        check() {
          if (turns.spent(id) > taskCpuMs) throw new AppError('unreadable', TOO_LONG);
        },
      });
      running.set(id, one);
      await one.collect(await load(order));
    } catch (thrown) {
      error = thrown;
    } finally {
      // In the order of what it did: the last effects go before the end.
      running.get(id)?.finish();
      running.delete(id);
      turns.forget(id);
    }
    say({ type: 'ended', id, error: error === null ? null : toPlain(error) });
    send();
  }

  async function load({ id, source: name }: Run): Promise<Source> {
    const found = sourceOf(name);
    if (!(found instanceof Promise)) return foundSource(name, found);
    Atomics.add(watch.counts, AT.loading, 1);
    try {
      return foundSource(name, await found);
    } finally {
      Atomics.sub(watch.counts, AT.loading, 1);
      turns.begin(id);
    }
  }

  port.postMessage({ type: 'ready' });
}

interface Running {
  hear(message: Exclude<ToThread, Run>): void;
  collect(source: Source): Promise<void>;
  finish(): void;
}

interface Outside {
  say(one: Said): void;
  send(): void;
  settingOf: ReadingOptions['settingOf'];
  /** Throws when the run has used up its time. */
  check(): void;
}

function createRunning(id: number, order: Run, { say, send, settingOf, check }: Outside): Running {
  const stop = new AbortController();
  const asked = new Map<number, { resolve(value: never): void; reject(error: unknown): void }>();
  const ledger = {} as WebLedger;
  let questions = 0;
  let effects: Effect[] = [];
  let count = 0;
  let taken = order.skip;
  let goOn: (() => void) | undefined;
  let rows = 0;

  const flush = (): void => {
    if (effects.length > 0) say({ type: 'effects', id, effects });
    effects = [];
  };
  const add = (effect: Effect): void => {
    count += 1;
    if (count <= order.skip || stop.signal.aborted) return;
    const last = effects.at(-1);
    if ('unnamed' in effect && last && 'unnamed' in last) last.unnamed += effect.unnamed;
    else effects.push(effect);
    if (effects.length < SLICE) return;
    flush();
    send();
  };
  const ask = <T>(question: Question): Promise<T> => {
    if (stop.signal.aborted) return Promise.reject(stop.signal.reason);
    check();
    flush();
    const number = ++questions;
    say({ type: 'question', id, question: number, asked: question });
    return new Promise<T>((resolve, reject) => asked.set(number, { resolve, reject }));
  };

  const get: Web['get'] = async (url, request) => ask<WebResponse>({ kind: 'get', url, request });
  const web = (source: string): Web => ({
    get,
    text: async (url, request) => (await get(url, request)).text,
    async json(url, schema, request) {
      const page = await get(url, { ...request, headers: { accept: 'application/json', ...request?.headers } });
      return parseJson(page.text, schema);
    },
    page: async (url, options) => ask<WebResponse>({ kind: 'page', url, options }),
    sitemaps: async (url) => ask<string[]>({ kind: 'sitemaps', url }),
    diagnose,
    warn: (message) => add({ warn: message }),
    setting: (name) => settingOf(source, name),
    countPage: (isRead) => add({ page: isRead }),
    signal: stop.signal,
    ledger,
  });
  const notes: Notes = {
    skipped({ id: row, reason }) {
      rows += 1;
      add(rows > NOTES_MAX.skipped ? { unnamed: 1 } : { skipped: { id: row, reason } });
    },
    incomplete: (reason) => add({ incomplete: reason.slice(0, NOTES_MAX.reasonChars) }),
    reached: (place) => add({ reached: place }),
    matched: (yields) => add({ matched: yields }),
    crawled: (findings) => add({ crawled: findings }),
    ...(order.resumeAt && { resumeAt: order.resumeAt.place }),
  };

  return {
    hear(message) {
      if (message.type === 'taken') {
        taken = Math.max(taken, message.effects);
        goOn?.();
      } else if (message.type === 'stop') {
        const reason = fromPlain(message.reason);
        stop.abort(reason);
        for (const { reject } of asked.values()) reject(reason);
        asked.clear();
        goOn?.();
      } else {
        Object.assign(ledger, message.ledger);
        settle(message.question, message.answer);
      }
    },
    async collect(source) {
      const { name, kind, pace, policy, version } = source;
      const facts = { name, kind, pace, ...(policy && { policy }), ...(version && { version }) };
      say({ type: 'found', id, source: facts });
      const params = checkedParams(source, order.params);
      for await (const item of source.scrape(params, web(name), notes)) {
        if (stop.signal.aborted) return;
        const origins = originsOf(item);
        add(origins ? { item, origins } : { item });
        check();
        while (count - taken >= WINDOW && !stop.signal.aborted) {
          flush();
          send();
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
        }
      }
    },
    finish: flush,
  };

  function settle(number: number, answer: Answer): void {
    const waiting = asked.get(number);
    asked.delete(number);
    if ('error' in answer) waiting?.reject(fromPlain(answer.error));
    else waiting?.resolve(answer.value as never);
  }
}
