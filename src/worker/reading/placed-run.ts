// One run of a source, on whichever thread it is placed: answers what it asks of the web, and takes what it finds. Placed on another thread, it begins there
// anew with the answers it had; what it has told already is not told again.
import type { AppError } from '../../model/errors.ts';
import type { Web, WebLedger } from '../../web/port.ts';
import type { SourceRun } from '../run-source.ts';
import { createAnswers, type Room } from './answers.ts';
import { type Answer, type Effect, fromPlain, type Question, type Said, toPlain } from './messages.ts';
import type { Thread } from './thread.ts';

export interface PlacedRun {
  readonly source: string;
  readonly done: Promise<void>;
  readonly isOver: boolean;
  /** Another thread can go on with it. */
  readonly canMove: boolean;
  /** Something was sent to its thread that the thread has not begun with. */
  readonly isWaiting: boolean;
  /** Address of the page that its thread was given last. */
  readonly page: string | null;
  placeOn(thread: Thread): void;
  leave(): void;
  hear(said: Said): void;
  fail(error: AppError): void;
}

/** As often as this the thread is told how many of its effects were taken. */
const TAKEN_EVERY = 25;

let lastId = 0;

/** `move` is called before an answer is sent to a slow thread, and may place the run elsewhere. */
export function createPlacedRun(order: SourceRun, room: Room, move: (run: PlacedRun) => void): PlacedRun {
  const { signal, notes } = order;
  const answers = createAnswers(room);
  const outcome = Promise.withResolvers<void>();
  let thread: Thread | undefined;
  let id = 0;
  let web: Web | undefined;
  let isOver = false;
  let received = 0;
  let acknowledged = 0;
  /** Effects one after the other, however long one takes. */
  let taking: Promise<void> = Promise.resolve();
  /** What this thread has to do before the other can go on. */
  const ours = { questions: 0, effects: 0 };
  let lastSent = 0;
  let given: { number: number; url: string }[] = [];

  const count = (what: keyof typeof ours, change: 1 | -1): void => {
    ours[what] += change;
    thread?.hold(id, ours.questions + ours.effects === 0);
  };
  const leave = (): void => {
    thread?.remove(id);
    thread = undefined;
  };
  const finish = (error: AppError | null): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener('abort', onAbort);
    leave();
    answers.drop();
    if (error === null) outcome.resolve();
    else outcome.reject(error);
  };
  const onAbort = (): void => {
    thread?.post({ type: 'stop', id, reason: toPlain(signal.reason) });
    finish(signal.reason);
  };

  const run: PlacedRun = {
    source: order.source,
    done: outcome.promise,
    get isOver() {
      return isOver;
    },
    get canMove() {
      return answers.isWhole;
    },
    get isWaiting() {
      return thread !== undefined && lastSent > thread.taken();
    },
    get page() {
      const taken = thread?.taken() ?? 0;
      return given.findLast(({ number }) => number <= taken)?.url ?? null;
    },
    placeOn(next) {
      thread?.post({ type: 'stop', id, reason: { code: 'cancelled', message: 'It went on in another thread.' } });
      leave();
      // What the last thread asked, nobody waits for.
      if (id !== 0) answers.again();
      ours.questions = 0;
      id = ++lastId;
      thread = next;
      given = [];
      next.add(id, run);
      const { resumeAt } = notes;
      const { source, params } = order;
      lastSent = next.post({
        type: 'run',
        id,
        source,
        params,
        resumeAt: resumeAt === undefined ? null : { place: resumeAt },
        skip: received,
      });
    },
    leave,
    hear(said) {
      if (said.type === 'found') web ??= order.openWeb(said.source);
      else if (said.type === 'question') ask(said.question, said.asked);
      else if (said.type === 'effects') take(said.effects);
      else {
        const error = said.error === null ? null : fromPlain(said.error);
        void taking.then(() => finish(error));
      }
    },
    fail: finish,
  };

  function ask(question: number, asked: Question): void {
    const own = web!;
    count('questions', 1);
    answers.ask(
      asked,
      () => fetched(own, asked),
      (answer) => {
        count('questions', -1);
        const before = id;
        if (thread?.isSlow && thread.working() !== run) move(run);
        // The next thread asks for it itself.
        return id === before && give(question, answer, own.ledger, asked.url);
      },
    );
  }

  function give(question: number, answer: Answer, ledger: WebLedger, url: string): boolean {
    if (thread === undefined) return false;
    lastSent = thread.post({ type: 'answer', id, question, answer, ledger: { ...ledger } });
    const taken = thread.taken();
    given.splice(
      0,
      Math.max(
        0,
        given.findLastIndex(({ number }) => number <= taken),
      ),
    );
    given.push({ number: lastSent, url });
    return true;
  }

  function take(effects: Effect[]): void {
    for (const effect of effects) received += 'unnamed' in effect ? effect.unnamed : 1;
    const upTo = received;
    count('effects', 1);
    taking = taking
      .then(async () => {
        for (const effect of effects) {
          if (isOver) return;
          await apply(effect);
        }
        if (upTo - acknowledged < TAKEN_EVERY || thread === undefined) return;
        acknowledged = upTo;
        lastSent = thread.post({ type: 'taken', id, effects: upTo });
      })
      .catch((error) => finish(error))
      .finally(() => count('effects', -1));
  }

  function apply(effect: Effect): void | Promise<void> {
    if ('item' in effect) return order.onItem(effect.item, effect.origins);
    if ('page' in effect) web!.countPage(effect.page);
    else if ('warn' in effect) web!.warn(effect.warn);
    else if ('skipped' in effect) notes.skipped(effect.skipped);
    else if ('incomplete' in effect) notes.incomplete(effect.incomplete);
    else if ('reached' in effect) notes.reached?.(effect.reached);
    else if ('matched' in effect) notes.matched?.(effect.matched);
    else if ('crawled' in effect) notes.crawled?.(effect.crawled);
    else for (let row = 0; row < effect.unnamed; row++) notes.skipped({ id: null, reason: '' });
  }

  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return run;
}

async function fetched(web: Web, asked: Question): Promise<Answer> {
  try {
    if (asked.kind === 'get') return { value: await web.get(asked.url, asked.request) };
    if (asked.kind === 'page') return { value: await web.page(asked.url, asked.options) };
    return { value: await web.sitemaps(asked.url) };
  } catch (thrown) {
    return { error: toPlain(thrown) };
  }
}
