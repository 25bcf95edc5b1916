// Years of experience a posting asks for. Of several requirements the largest minimum counts.
// What a reader would get wrong: most years in a posting are not experience. "For over 20 years we…", "18 years of age", "a 12 month contract" and
// "in your first 6 months" are all nothing.

export interface Years {
  min: number | null;
  max: number | null;
}

const WORDS: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
};
const NUMBER = `(?:\\d{1,2}(?:\\.5)?|${Object.keys(WORDS).join('|')})`;
const GAP = '\\s{0,4}';
/** `five (5)`. */
const AS_DIGITS = `(?:\\(\\s?\\d{1,2}\\s?\\)${GAP})?`;
const SPAN = new RegExp(
  `(?<![\\d$€£.,])(?:(?<low>${NUMBER})${GAP}${AS_DIGITS}(?<lowPlus>\\+)?${GAP}(?:-|–|—|to|or)${GAP})?(?<high>${NUMBER})${GAP}${AS_DIGITS}(?<plus>\\+|plus|or more)?${GAP}(?<unit>years?|yrs?|months?)(?![\\p{L}-])['’]?\\s?(?<plusAfter>\\+|plus\\b|or more)?`,
  'giu',
);
const ASKED_BEFORE =
  /(?:minimum(?: of)?|at least|min\.?|requires?d?|require|typically|more than|over|approximately|ideally|have|has|having|with|brings?|plus|>|~|experience:?|least|mindestens|expérience|degree and|bring)[\s:(-]{0,9}(?:an?\s{1,9})?$/i;
const LIST_START = /(?:^|[\n•·●*–:;.,!?)-]|\s\s)\s{0,60}$/;
const WORK_AFTER =
  /^[\s,:)]*(?:of|in|as|working|building|with|leading|managing|designing|developing|selling|doing|operating|handling|within|related|relevant|full[- ]?time|professional|hands[- ]on|combined|sales|owning|experience|industry|progressive|post|software|engineering|backend|frontend|product|experiences?|at|max|berufserfahrung|d['’]expérience|recruiting|management|clinical|total|overall|commercial|solid|proven|prior|previous|outbound|teaching|work)\b/i;
const EXPERIENCE = /\bexp(?:erience|\b)|berufserfahrung|expérience/i;
const NOT_AFTER =
  /^\s*(?:ago|of age|old\b|and counting|track record|contract|fixed|warranty|long\b|of (?:success|history|service|innovation|continuous|collaboration|bootstrapped|growth|excellence)|in business|anniversary|thereafter|, we|we['’]|later|until|into|apprenticeship|from now|in a row|each|of experience[^.;\n]{0,60} makes? us\b)/i;
const NOT_BEFORE =
  /(?:\b(?:over|for(?=\s+(?:over|more|almost|nearly|the|up|around|about))|in|during|within|after|every|next|past|last|first|initial(?:ly)?|second of|wait|up to|resulting from|of up to|celebrat\w{1,9})\s{1,9}(?:(?:the|your|our|just|almost|nearly|over|more than|first|next|past|last|around|about)\s{1,9}){0,5}|\b(?:company|business|with)\s{1,9}(?:that has a|with|of)?\s{0,9}(?:more than|over)\s{0,9})$/i;
const CEILING = /(?:up to|less than|fewer than|under|no more than|maximum(?: of)?|max\.?)\s*$/i;
const MAX_YEARS = 30;
const MAX_CHARS = 40_000;

/** The years of experience a description asks for; null when it asks for none. */
export function experienceYears(text: string): Years | null {
  if (text === '') return null;
  let best: Years | null = null;
  for (const match of text.slice(0, MAX_CHARS).matchAll(SPAN)) {
    const before = text.slice(Math.max(0, match.index - 60), match.index);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 90);
    const years = yearsOf(match.groups as Record<string, string | undefined>);
    if (years === null || !isAsked(before, after, match.groups!.unit!)) continue;
    const found = CEILING.test(before) && years.max === null ? { min: null, max: years.min } : years;
    if (best === null || (found.min ?? -1) > (best.min ?? -1)) best = found;
  }
  return best;
}

function isAsked(before: string, after: string, unit: string): boolean {
  if (NOT_AFTER.test(after)) return false;
  const sentence = after.split(/[.;!?\n•]/)[0]!;
  const speaksOfIt = EXPERIENCE.test(sentence) || EXPERIENCE.test(before.slice(-28));
  const isMonths = /^month/i.test(unit);
  if (CEILING.test(before)) return speaksOfIt || WORK_AFTER.test(after);
  if (NOT_BEFORE.test(before))
    return (
      /\b(?:bring|have|brings|has|with|minimum)\b[^.]{0,12}$/i.test(before) &&
      EXPERIENCE.test(sentence) &&
      !/^\s*of experience (?:delivering|,)/i.test(after) &&
      !/company|business/i.test(before)
    );
  if (isMonths) return EXPERIENCE.test(sentence) && ASKED_BEFORE.test(before);
  if (speaksOfIt) return true;
  return WORK_AFTER.test(after) && (ASKED_BEFORE.test(before) || LIST_START.test(before));
}

function yearsOf({ low, high, plus, plusAfter, unit }: Record<string, string | undefined>): Years | null {
  const scale = /^month/i.test(unit!) ? 12 : 1;
  const number = (word: string) => (WORDS[word.toLowerCase()] ?? Number(word)) / scale;
  const [from, to] = [low === undefined ? null : number(low), number(high!)];
  if (to > MAX_YEARS || (from !== null && from > to)) return null;
  const isOpen = plus !== undefined || plusAfter !== undefined;
  if (from === null) return { min: to, max: null };
  return { min: from, max: isOpen ? null : to };
}

/** A field that is only this: Naukri "5-8 Yrs", "2 years". */
export function yearsOfLabel(label: string): Years | null {
  const match = [...label.matchAll(SPAN)][0];
  return match ? yearsOf(match.groups as Record<string, string | undefined>) : null;
}
