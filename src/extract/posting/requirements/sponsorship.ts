// Whether the employer sponsors visas: true, false where it says that it does not, null where it says neither.
// What a reader would get wrong: a question of a form ("will you require sponsorship?") and "may be considered" say nothing.
import type { Sentence } from './sentences.ts';

export function sponsorshipOf(sentence: Sentence): boolean | null {
  const of = (kind: string) => sentence.marks.filter((mark) => mark.concept === 'visa' && mark.kind === kind);
  const sponsors = of('sponsor');
  const visas = of('visa');
  if (sentence.isQuestion || of('elsewhere').length > 0) return null;
  // "Sponsoring" alone is of sports clubs; "Visa-Sponsoring" is not.
  const isOfVisas =
    visas.length > 0 || sponsors.some(({ start, end }) => end - start > 1 || isLong(sentence.words[start]!));
  const isDenied = sentence.marks.some(({ kind }) => kind === 'not');
  if (sponsors.length > 0 && isDenied) return isOfVisas || isShort(sentence) ? false : null;
  if (!isOfVisas || isDenied || of('maybe').length > 0) return null;
  if (sponsors.length > 0)
    return of('give').length > 0 || sponsors.some((mark) => isVerb(sentence.words[mark.start]!)) ? true : null;
  // "Wir unterstützen dich beim Visum": without the word itself only some languages say it.
  return of('give').some((mark) => SUPPORT.has(sentence.words[mark.start]!)) && isOffer(sentence) ? true : null;
}

const SHORT_WORDS = 16;
const isShort = (sentence: Sentence): boolean => sentence.words.length <= SHORT_WORDS;
/** One word made of both: "Visumsponsoring". */
const isLong = (word: string): boolean => /^vis[au]/.test(word);
const isVerb = (word: string): boolean => /^(?:sponsor|sponsors|patrocinamos|sponsorujemy|sponsorizziamo)$/.test(word);
const SUPPORT = new Set(
  'unterstützen unterstützt übernehmen helfen kümmern accompagnons ayudamos tramitamos pomagamy helpen regelen'.split(
    ' ',
  ),
);
/** "Du hilfst unseren Kunden mit ihrem Visum" is the work. */
const isOffer = (sentence: Sentence): boolean =>
  sentence.words.some((word) =>
    /^(?:wir|nous|ofrecemos|ayudamos|tramitamos|te|dich|dir|dein|deinem|ihnen|wij|pomagamy|je)$/.test(word),
  ) && !sentence.words.some((word) => /^(?:kunden|clients|clientes|klanten|klientom|ihren|ihre)$/.test(word));
