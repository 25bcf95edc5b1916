// A description cut into sentences, and those into their parts at commas and brackets, each word in lower case with what the words say.
// What a reader would get wrong: a heading speaks for the lines below it: under "Nice to have" nothing is asked for.
import { type Mark, marksIn } from './vocabulary.ts';

export interface Sentence {
  words: string[];
  /** The part of the sentence each word is in. */
  parts: number[];
  marks: Mark[];
  /** Between a word and the one before it: "3-5", "5+". */
  gaps: string[];
  isQuestion: boolean;
  /** Stands under a heading that says that what follows is a wish. */
  isWished: boolean;
}

const MAX_CHARS = 40_000;
const MAX_HEADING_CHARS = 60;
const ITEM = /^\s*[-*•·–●▪✓]/;
/** Not behind "B.S.", "z.B.", "mind." and "Dipl.". */
const SENTENCE_END =
  /(?<![.\s(]\p{L}|^\p{L}|[.\s(](?:ph|ca|nr|st|min|mind|dipl|bzw|inkl|abgeschl))[.!?](?=\s|$)|[;•·●|]/giu;
const WORD = /[\p{L}\p{M}\d]+/gu;
const PART_END = /[,()–—]|\s-\s/;

/** Sentences that say nothing of requirements are left out. */
export function* sentencesOf(text: string): Generator<Sentence> {
  let isWished = false;
  for (const line of text.slice(0, MAX_CHARS).split('\n')) {
    if (line.trim() === '') continue;
    const isHeading = !ITEM.test(line) && line.length <= MAX_HEADING_CHARS;
    let isFirst = true;
    for (const raw of cut(line)) {
      const marks = marksIn(raw.toLowerCase().match(WORD) ?? []);
      // A heading speaks for the lines below it, not for itself.
      let isUnder = isWished;
      if (isHeading && isFirst) {
        const isBare = !marks.some(({ concept }) => concept === 'degree' || concept === 'years');
        isWished = isBare && marks.some(({ kind }) => kind === 'wish');
        isUnder = false;
      }
      isFirst = false;
      if (marks.some(isSubject)) yield whole(raw, marks, isUnder);
    }
  }
}

/** What a sentence can be about; the other words only say more of it, and are in most sentences. */
const SAYING_MORE = new Set('elsewhere give maybe unit company history you'.split(' '));
const isSubject = ({ concept, kind }: Mark): boolean =>
  concept !== 'common' && !SAYING_MORE.has(kind) && !/^n\d/.test(kind);

function cut(line: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const end of line.matchAll(SENTENCE_END)) {
    parts.push(line.slice(from, end.index + 1));
    from = end.index + 1;
  }
  if (from < line.length) parts.push(line.slice(from));
  return parts;
}

function whole(raw: string, marks: Mark[], isWished: boolean): Sentence {
  const words: string[] = [];
  const parts: number[] = [];
  const gaps: string[] = [];
  let part = 0;
  let last = 0;
  const text = raw.toLowerCase();
  for (const match of text.matchAll(WORD)) {
    const gap = text.slice(last, match.index);
    if (words.length > 0 && PART_END.test(gap) && !/^\d/.test(match[0])) part++;
    words.push(match[0]);
    parts.push(part);
    gaps.push(gap);
    last = match.index + match[0].length;
  }
  return { words, parts, gaps, marks, isQuestion: raw.trimEnd().endsWith('?'), isWished };
}
