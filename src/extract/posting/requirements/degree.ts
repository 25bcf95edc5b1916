// The degree a posting asks for: the lowest that is enough. "none" is a fact of its own, said by "no degree required".
// What a reader would get wrong: most degrees in a posting are somebody else's, or wished for. Where it is not clear, nothing is said.
import type { Degree } from '../../../model/posting/posting.ts';
import type { Sentence } from './sentences.ts';
import type { Mark } from './vocabulary.ts';

/** From the lowest to the highest; a degree of unnamed level is about a bachelor's. */
const ORDER: Degree[] = [
  'none',
  'high_school',
  'vocational',
  'associate',
  'university',
  'bachelor',
  'master',
  'doctorate',
];
/** A denial so many words before a degree is about it: "no degree", "kein abgeschlossenes Studium", "do not need a degree". */
const DENIAL_WORDS = 4;

/** Texts without full stops are sentences of a hundred words. */
const NEAR_WORDS = 16;

export function degreeOf(sentence: Sentence): Degree | null {
  const marks = sentence.marks.filter(({ concept }) => concept === 'degree');
  const named = marks.filter(({ kind }) => kind !== 'elsewhere');
  if (named.length === 0 || sentence.isWished || sentence.isQuestion) return null;
  if (isDenied(sentence, named)) return 'none';
  const isAsked =
    sentence.marks.some(({ concept, kind }) => concept === 'common' && kind === 'ask') ||
    named.some(({ kind }) => !kind.startsWith('weak '));
  const asked = named.filter(
    (mark) =>
      !isElsewhere(sentence, mark) &&
      !isWish(sentence, mark, named) &&
      (!mark.kind.startsWith('weak ') || isAsked) &&
      !isNegated(sentence, mark),
  );
  const levels = asked.map(({ kind }) => kind.replace('weak ', '') as Degree);
  return lowest(levels);
}

/** "University degree" beside a named level is the same one; a training that is enough beside a degree is the lower. */
export function lowest(levels: readonly Degree[]): Degree | null {
  const named = levels.some((level) => level === 'bachelor' || level === 'master' || level === 'doctorate');
  const counted = named ? levels.filter((level) => level !== 'university') : levels;
  return ORDER.find((level) => counted.includes(level)) ?? null;
}

const isElsewhere = (sentence: Sentence, mark: Mark): boolean =>
  sentence.marks.some(
    ({ concept, kind, start }) =>
      concept === 'degree' && kind === 'elsewhere' && Math.abs(start - mark.start) <= NEAR_WORDS,
  );

/** A wish counts for the part it stands in, or for the one before where its own names no degree. */
function isWish(sentence: Sentence, mark: Mark, named: Mark[]): boolean {
  const part = sentence.parts[mark.start]!;
  const hasDegree = (at: number) => named.some((other) => sentence.parts[other.start] === at);
  return sentence.marks.some(({ kind, start }) => {
    if (kind !== 'wish') return false;
    const at = sentence.parts[start]!;
    if (at === part) return true;
    if (hasDegree(at)) return false;
    // "Ideally, you have a degree": nothing before it that it could be about.
    const isBetween = ({ start: other }: Mark) => sentence.parts[other]! > part && sentence.parts[other]! < at;
    return at > part ? start - mark.start <= NEAR_WORDS && !named.some(isBetween) : at === 0;
  });
}

/** "No degree required", "ein Studium ist nicht erforderlich", "aucun diplôme". */
function isDenied(sentence: Sentence, named: Mark[]): boolean {
  if (!named.every(({ kind }) => kind.endsWith('university') || kind.endsWith('vocational'))) return false;
  return named.some((mark) => isNegated(sentence, mark));
}

function isNegated(sentence: Sentence, mark: Mark): boolean {
  const asks = (other: Mark) => other.kind === 'ask' && sentence.parts[other.start] === sentence.parts[mark.start];
  return sentence.marks.some((not) => {
    const isNo = not.kind === 'not' || (isNoOf(sentence.words[not.start]!) && not.concept === 'common');
    if (!isNo || sentence.parts[not.start] !== sentence.parts[mark.start]) return false;
    if (not.end <= mark.start) return mark.start - not.end < DENIAL_WORDS;
    return sentence.marks.some((other) => asks(other) && other.start >= not.end && other.start - not.end <= 1);
  });
}

const isNoOf = (word: string): boolean => word === 'no' || word === 'kein';
