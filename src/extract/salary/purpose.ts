// What the words around an amount say it is: pay, or a bonus, an allowance, a budget, the price of something. In ten languages, by words.json.
// What a reader would get wrong: the nearest word decides, and a longer one hides what is inside it: "holiday pay" is no pay, "bolsa-auxílio" is.
// Small benefits ("training", "health") share their words with the job itself, so they count only where the amount is too small to live on.
import words from './words.json' with { type: 'json' };

export type Other = 'no pay' | 'benefit';
type Kind = 'pay' | 'gross' | Other;

interface Mark {
  kind: Kind;
  start: number;
  end: number;
}

interface Vocabulary {
  /** Words, and phrases with single spaces. */
  phrases: Map<string, Kind>;
  /** Words that make the one behind them part of themselves. */
  withNext: Map<string, Kind>;
  /** By their last or first letters, the longest first. */
  endings: Map<string, Kind>;
  beginnings: Map<string, Kind>;
}

const AFTER_CHARS = 40;
const PAY_AFTER_CHARS = 25;
const MAX_PHRASE_WORDS = 4;
const MAX_STEM = 15;
const MIN_STEM = 3;
const MAX_WORD = 40;
const WORD = /[\p{L}\d]+/gu;
/** What follows is added to the amount, or only listed behind it. */
const NEXT_THING =
  /,\s|\s(?:and|und|sowie|et|y|e|ed|en|i|oraz|och|og)\s|\s[–—-]\s|(?:\s|\()(?:inkl|incl|exkl|excl|including|excluding|avec|con|met|com|mit|z)\b/iu;

// A memo of constant data: most texts have no amount.
let loaded: Vocabulary | undefined;

function vocabulary(): Vocabulary {
  if (loaded) return loaded;
  loaded = { phrases: new Map(), withNext: new Map(), endings: new Map(), beginnings: new Map() };
  const put = (kind: Kind, lists: string[]) => {
    for (const word of lists.flatMap((list) => list.split('|'))) {
      if (word.endsWith(' *')) loaded!.withNext.set(word.slice(0, -2), kind);
      else if (word.startsWith('-')) loaded!.endings.set(word.slice(1), kind);
      else if (word.endsWith('-')) loaded!.beginnings.set(word.slice(0, -1), kind);
      else loaded!.phrases.set(word, kind);
    }
  };
  // The later wins where two languages disagree about a word.
  put('benefit', Object.values(words.benefit));
  put('no pay', Object.values(words.notPay));
  put('gross', [words.gross]);
  put('pay', Object.values(words.pay));
  return loaded;
}

/** The words of a text that say what an amount is, without those inside longer ones. */
function marksIn(text: string): Mark[] {
  if (text === '') return [];
  const tokens = [...text.matchAll(WORD)].map((match) => ({
    word: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const { phrases, withNext } = vocabulary();
  const marks: Mark[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const next = withNext.get(tokens[i]!.word);
    let [kind, last] = next !== undefined && tokens[i + 1] ? [next, i + 1] : [kindOfWord(tokens[i]!.word), i];
    let phrase = tokens[i]!.word;
    for (let j = i + 1; j < Math.min(i + MAX_PHRASE_WORDS, tokens.length); j++) {
      phrase += ` ${tokens[j]!.word}`;
      const found = phrases.get(phrase);
      if (found !== undefined) [kind, last] = [found, j];
    }
    if (kind === null) continue;
    const mark = { kind, start: tokens[i]!.start, end: tokens[last]!.end };
    const before = marks.at(-1);
    // "housing allowance" is an allowance, however much it is.
    if (before?.kind === 'benefit' && kind === 'no pay' && mark.start === before.end + 1) before.kind = kind;
    marks.push(mark);
    i = last;
  }
  return marks;
}

function kindOfWord(word: string): Kind | null {
  const { phrases, endings, beginnings } = vocabulary();
  const whole = phrases.get(word);
  if (whole !== undefined || word.length > MAX_WORD) return whole ?? null;
  for (let length = Math.min(MAX_STEM, word.length); length >= MIN_STEM; length--) {
    const kind = endings.get(word.slice(-length)) ?? beginnings.get(word.slice(0, length));
    if (kind !== undefined) return kind;
  }
  return null;
}

/** Whether a text speaks of pay, whatever else it speaks of. */
export const isAboutPay = (text: string): boolean =>
  marksIn(text).some(({ kind }) => kind === 'pay' || kind === 'gross');

export interface Purpose {
  /** "gross" alone is said of bonuses too. */
  pay: 'named' | 'gross' | null;
  /** What the nearest words say the amount is, if they say that it is no pay. */
  other: Other | null;
  /** No other amount stands between this one and the last word of pay before it. */
  isNextAmount: boolean;
}

/** What an amount is for that stands between these parts of its clause. */
export function purposeOf(before: string, after: string): Purpose {
  const ahead = marksIn(before);
  const behind = marksIn(after.slice(0, AFTER_CHARS));
  const named = ahead.findLast(({ kind }) => kind === 'pay');
  const near = [...ahead, ...behind.filter(({ start }) => start < PAY_AFTER_CHARS)];
  const next = NEXT_THING.exec(after)?.index ?? AFTER_CHARS;
  const first = behind.find(({ kind, start }) => kind !== 'gross' && start < next);
  // "$90,000 base salary + bonus": a word of pay in between belongs to the amount.
  const others = [...saidAhead(ahead, before), ...(first === undefined || first.kind === 'pay' ? [] : [first])];
  return {
    pay: near.some(({ kind }) => kind === 'pay') ? 'named' : near.some(({ kind }) => kind === 'gross') ? 'gross' : null,
    other: others.some(({ kind }) => kind === 'no pay') ? 'no pay' : others.length > 0 ? 'benefit' : null,
    isNextAmount: named === undefined || !/\d/.test(before.slice(named.end)),
  };
}

/** The words since the last one of pay; a word with a colon behind it is a heading, and speaks for all that follows. */
function saidAhead(ahead: Mark[], before: string): Mark[] {
  const marks = ahead.filter(({ kind }) => kind !== 'gross');
  const heading = marks.find((mark) => mark.kind === 'no pay' && /^\s?:/.test(before.slice(mark.end, mark.end + 2)));
  return heading ? [heading] : marks.slice(marks.findLastIndex(({ kind }) => kind === 'pay') + 1);
}
