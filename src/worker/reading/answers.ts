// What one run has asked of the web, with the answers, so that another thread can go on with it: asked again the same, it is answered the same and in the same
// order, and no site is asked twice. Bounded: a run with more than that stays where it is.
// What a reader would get wrong: answers may be under way when a run is moved. Whichever thread asks for them gets them.
import { roughSize } from '../rough-size.ts';
import type { Answer, Question } from './messages.ts';

interface Asked {
  key: string;
  answer: Promise<Answer>;
  /** Its place among the answers that were given; undefined as long as it was not. */
  order: number | undefined;
  isAskedAgain: boolean;
}

export interface Answers {
  /** Everything asked so far can be asked again. */
  readonly isWhole: boolean;
  /** `give` is called with the answer, in turn, and says whether it could be given; `fetch` asks the web. */
  ask(question: Question, fetch: () => Promise<Answer>, give: (answer: Answer) => boolean): void;
  /** From now on another thread asks, from the beginning. */
  again(): void;
  drop(): void;
}

/** Shared by all runs of a process. */
export interface Room {
  bytes: number;
}

const RUN_MAX_BYTES = 4 * 1024 * 1024;
const ALL_MAX_BYTES = 64 * 1024 * 1024;
/** A source that asks otherwise the second time (random, or by the clock) is not waited for longer than this. */
const IN_TURN_MS = 500;

export function createAnswers(room: Room): Answers {
  let asked: Asked[] = [];
  let isWhole = true;
  let bytes = 0;
  let given = 0;
  /** Answers of the first thread that the next was not given yet, in order. */
  let before: Asked[] = [];
  const ready = new Map<Asked, () => void>();
  /** Which thread asks: answers to questions of the one before are not for it. */
  let asking = 0;
  let late: NodeJS.Timeout | undefined;

  const drop = (): void => {
    room.bytes -= bytes;
    bytes = 0;
    isWhole = false;
    asked = [];
    giveAll();
  };
  const giveAll = (): void => {
    clearTimeout(late);
    late = undefined;
    before = [];
    for (const give of ready.values()) give();
    ready.clear();
  };
  const giveInTurn = (): void => {
    for (let next = before[0]; next !== undefined; next = before[0]) {
      const give = ready.get(next);
      if (give === undefined) break;
      before.shift();
      ready.delete(next);
      give();
    }
    if (before.length === 0) giveAll();
    else if (ready.size > 0) late ??= setTimeout(giveAll, IN_TURN_MS);
  };
  const keep = (answer: Answer): void => {
    const size = roughSize('value' in answer ? answer.value : answer.error);
    bytes += size;
    room.bytes += size;
    if (bytes > RUN_MAX_BYTES || room.bytes > ALL_MAX_BYTES) drop();
  };

  return {
    get isWhole() {
      return isWhole;
    },
    ask(question, fetch, give) {
      const key = JSON.stringify(question);
      let one = isWhole ? asked.find((other) => other.isAskedAgain && other.key === key) : undefined;
      if (one) one.isAskedAgain = false;
      else {
        one = { key, answer: fetch(), order: undefined, isAskedAgain: false };
        const first = one;
        if (isWhole) {
          asked.push(one);
          void one.answer.then((answer) => isWhole && asked.includes(first) && keep(answer));
        }
      }
      const mine = one;
      const asker = asking;
      void mine.answer.then((answer) => {
        if (asker !== asking) return;
        ready.set(mine, () => {
          if (give(answer)) mine.order ??= given++;
        });
        giveInTurn();
      });
    },
    again() {
      asking++;
      clearTimeout(late);
      late = undefined;
      ready.clear();
      for (const one of asked) one.isAskedAgain = true;
      before = asked.filter((one) => one.order !== undefined).sort((a, b) => a.order! - b.order!);
    },
    drop,
  };
}
