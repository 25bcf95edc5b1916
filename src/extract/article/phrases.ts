// What the words of a line say it is: a credit, a promotion, a byline. Signs for the model to weigh, never a verdict: articles
// are also written about newsletters.
import phrases from './phrases.json' with { type: 'json' };

export const PHRASE_KINDS = ['related', 'promo', 'credit', 'byline', 'dated', 'legal', 'meta'] as const;
export type PhraseKind = (typeof PHRASE_KINDS)[number];

const escape = (s: string) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
// A word that ends the phrase must end in the text too ("print" is not "printing").
const alternatives = (list: string[]) =>
  list.map((p) => escape(p) + (/\p{L}$/u.test(p) ? '(?![\\p{L}\\p{N}])' : '')).join('|');

const MATCH = Object.fromEntries(
  PHRASE_KINDS.map((kind) => {
    const any = alternatives(phrases[kind].filter((p) => p.length > 4));
    return [
      kind,
      {
        start: new RegExp(`^[^\\p{L}\\p{N}©(]{0,4}(?:${alternatives(phrases[kind])})`, 'iu'),
        any: new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})`, 'iu'),
      },
    ];
  }),
) as Record<PhraseKind, { start: RegExp; any: RegExp }>;

// Long lines are prose, whatever words they hold; only their opening is read.
const READ_WHOLE_CHARS = 240;

/** 2: the line begins like one of the kind; 1: it has such words; 0: neither. */
export function phraseSign(kind: PhraseKind, text: string): number {
  const { start, any } = MATCH[kind];
  if (start.test(text.length > READ_WHOLE_CHARS ? text.slice(0, 60) : text)) return 2;
  return text.length <= READ_WHOLE_CHARS && any.test(text) ? 1 : 0;
}
