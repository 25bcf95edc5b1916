// Years of experience in languages other than English (experience.ts has that): a number, a unit and the word for experience close to each other.
// What a reader would get wrong: companies have years of experience as well. A sentence that speaks of one before the number says nothing.
import type { Years } from '../experience.ts';
import type { Sentence } from './sentences.ts';
import type { Mark } from './vocabulary.ts';

const MAX_YEARS = 20;
/** Words between the number and the experience, and the other way round. */
const AFTER_WORDS = 4;
const BEFORE_WORDS = 6;
const JOINING = new Set('bis à a to y e et do tot und of ou o'.split(' '));
const CEILING = new Set('zu jusqu hasta fino até maximal maximaal maximum máximo'.split(' '));

export function yearsOf(sentence: Sentence): Years | null {
  const of = (kind: string) => sentence.marks.filter((mark) => mark.concept === 'years' && mark.kind === kind);
  const experience = of('experience');
  if (experience.length === 0 || sentence.isQuestion || sentence.isWished) return null;
  if (of('history').length > 0) return null;
  const isAsked = of('you').length > 0 || sentence.marks.some(({ kind }) => kind === 'ask');
  const companies = isAsked ? [] : of('company');
  for (const one of experience) {
    const years = nearest(sentence, one, companies);
    if (years !== null) return years;
  }
  return null;
}

/** `none`: the posting says that no experience is needed. */
export const needsNoExperience = (sentence: Sentence): boolean =>
  !sentence.isQuestion && sentence.marks.some(({ concept, kind }) => concept === 'years' && kind === 'none');

function nearest(sentence: Sentence, experience: Mark, companies: Mark[]): Years | null {
  const { words, marks } = sentence;
  const from = Math.max(0, experience.start - AFTER_WORDS - 1);
  const to = Math.min(words.length - 1, experience.end + BEFORE_WORDS);
  for (let i = to; i >= from; i--) {
    if (i >= experience.start && i < experience.end) continue;
    const value = numberAt(sentence, i);
    if (value === null || value > MAX_YEARS) continue;
    const isUnit = (at: number) => marks.some(({ kind, start }) => kind === 'unit' && start === at);
    // "dwuletnie", "fünfjährige" and "rok" are number and unit at once.
    const isBoth = /jährig|letni|^rok$|^roczn/.test(words[i]!);
    if (!isBoth && !isUnit(i + 1)) continue;
    if (companies.some(({ end }) => end <= i) || isWish(sentence, i)) return null;
    const low = lowerEnd(sentence, i);
    if (low !== null && low < value) return { min: low, max: value };
    if (CEILING.has(words[i - 1] ?? '')) return { min: null, max: value };
    return { min: value, max: null };
  }
  return null;
}

function isWish(sentence: Sentence, at: number): boolean {
  const part = sentence.parts[at];
  return sentence.marks.some(({ kind, start }) => kind === 'wish' && sentence.parts[start] === part);
}

function numberAt({ words, marks }: Sentence, at: number): number | null {
  const word = words[at]!;
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const mark = marks.find(({ concept, kind, start }) => concept === 'years' && start === at && /^n\d+$/.test(kind));
  return mark === undefined ? null : Number(mark.kind.slice(1));
}

/** "2 bis 3", "3–5", "entre 5 et 10". */
function lowerEnd(sentence: Sentence, at: number): number | null {
  const { words, gaps } = sentence;
  if (at >= 1 && /^\s?[-–—/]\s?$/.test(gaps[at]!)) return numberAt(sentence, at - 1);
  return at >= 2 && JOINING.has(words[at - 1]!) ? numberAt(sentence, at - 2) : null;
}
