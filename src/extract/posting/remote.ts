// Whether work is remote, out of words. What a source says in a field of its own wins; these rules read titles, labels, locations and descriptions.
// What a reader would get wrong: "remote" is mostly not about this job. "Remote Sensing Scientist", "supports remote teams" and "not a remote role" say
// nothing or the opposite, so the word alone never counts in a description.
import type { RemoteType } from '../../model/posting/posting.ts';
import { countryFrom, type Locations } from '../location/location.ts';

const OTHER_REMOTE =
  /\bremote(?:ly)?[\s-]+(?:sensing|teams?|access|control(?:led)?|desktop|monitoring|support|server|site|sites|area|areas|location|locations|diagnostics?|hands|patient|deposit|operations? cent|villages?|communit\w+|working tools|controlled|starter|code execution|procedure|assistance|management of|meetings?|employees|workforce|staff|workers|colleagues|offices|systems?)/gi;
const NOT_REMOTE =
  /\b(?:not|no|isn['’]t|is not|cannot be|can['’]t be|non)\b[\s-]{0,4}(?:a fully|an?|be|eligible for|offer(?:ing)?|available for|currently|any|considered|possible|open to|fully)?[\s-]{0,4}remote|\bno remote\b|remote (?:work |working )?(?:is )?not (?:possible|available|an option|offered)|kein(?:e)? (?:remote|homeoffice)/i;
const HYBRID =
  /\bhybrid\b|\bhybridarbete|\bhybride?\b|\bibrido\b|h[íi]brido|t[ée]l[ée]travail partiel|teil(?:weise|s) (?:remote|homeoffice|mobil)|home ?office[- ](?:möglich|option|anteil|tage)|homeoffice möglich|mobiles arbeiten|\b(?:\d|one|two|three|four)(?:\s?(?:-|to|or)\s?\d)?\s?(?:days?|x)\s?(?:(?:a|per|each|\/)\s?week\s?)?(?:in (?:the |our )?office|on-?site|in-?person|remote|from home|wfh)|remote(?:ly)? (?:up to )?\d+ days?|(?:in|from|at) (?:the |our )?[\p{L} ]{0,20}office \d+ days? (?:a|per) week|office (?:\d|one|two|three|four) days|work remotely up to/iu;
const REMOTE =
  /\b(?:100\s?%|fully|full|completely|entirely)[\s-]*remote\b|\bremote[- ](?:(?:full|part)[- ]time )?(?:position|role|job|opportunity|only|based|within|in the|from|anywhere|work(?:ing)? (?:position|arrangement|environment))\b|\bwork(?:ing)? (?:fully )?(?:remotely )?from (?:home|anywhere)\b|\bwfh\b|\btele(?:commut\w+|work)\b|\b(?:this|the) (?:is a |role is |position is |job is )(?:a )?(?:fully )?remote\b|\bremote \((?:us|usa|uk|eu|global)\b|100 ?% homeoffice|t[ée]l[ée]travail (?:complet|total|à 100)|完全リモート|フルリモート/iu;
const ONSITE = /\bon-?site\b|\bin-?office\b|\bin[- ]person\b|vor ort|présentiel|presencial|på plats/i;
const LABEL_REMOTE =
  /\bremote\b|work(?:ing)? from home|\bwfh\b|telecommut|home ?office|t[ée]l[ée]travail|remoto|\bdistansarbete|på distans|リモート|远程/i;
const MAX_CHARS = 30_000;

/** A short label or attribute that is about the workplace: "Hybrid work", "Remote", "Onsite (5 Days per Week)". */
export function remoteOfLabel(label: string): RemoteType {
  if (NOT_REMOTE.test(label)) return 'onsite';
  if (HYBRID.test(label) || /homeoffice/i.test(label)) return 'hybrid';
  if (LABEL_REMOTE.test(label)) return 'remote';
  return ONSITE.test(label) ? 'onsite' : 'unknown';
}

const TITLE_WORD = /remote|hybrid|wfh|home|t[ée]l[ée]travail/i;

/** A title says remote only in brackets, after a dash or at an end. */
export function remoteOfTitle(title: string): RemoteType {
  if (!TITLE_WORD.test(title)) return 'unknown';
  const bare = title.replace(OTHER_REMOTE, ' ');
  if (/\bhybrid\b/i.test(bare) && /[([\-–|,]\s*hybrid\b|\bhybrid\s*[)\]]|\bhybrid$/i.test(bare)) return 'hybrid';
  return /[([\-–—|,/:]\s*(?:100% |fully )?(?:remote|wfh|work from home|télétravail|homeoffice)\b|\b(?:remote|wfh)\s*[)\]|]|\bremote$|^(?:fully )?remote[\s:,-]/i.test(
    bare,
  )
    ? 'remote'
    : 'unknown';
}

/** Nothing below can match without one of these; most texts have none. */
const ANY_WORD = /remote|hybrid|home|office|wfh|tele|t[ée]l[ée]|ibrido|h[íi]brido|mobil|リモート/i;

export function remoteOfText(text: string): RemoteType {
  if (!ANY_WORD.test(text)) return 'unknown';
  const bare = text.slice(0, MAX_CHARS).replace(OTHER_REMOTE, ' ');
  if (NOT_REMOTE.test(bare)) return 'onsite';
  if (HYBRID.test(bare)) return 'hybrid';
  if (REMOTE.test(bare)) return 'remote';
  return 'unknown';
}

export interface RemoteEvidence {
  /** From a field of the source; `unknown` leaves it to the words. */
  stated?: RemoteType | null | undefined;
  title: string;
  location?: Locations['remote'];
  text?: string | null;
}

export function remoteType({ stated, title, location, text }: RemoteEvidence): RemoteType {
  if (stated && stated !== 'unknown') return stated;
  if (location === 'hybrid') return 'hybrid';
  const told = text ? remoteOfText(text) : 'unknown';
  if (location === 'remote') return told === 'hybrid' ? 'hybrid' : 'remote';
  const titled = remoteOfTitle(title);
  return titled === 'unknown' ? told : titled;
}

/** Where one may live: "remote within Germany", "Remote (US only)". */
export function remoteRegions(text: string): string[] {
  if (!/remote/i.test(text)) return [];
  const found = new Set<string>();
  for (const match of text
    .slice(0, MAX_CHARS)
    .matchAll(
      /\bremote(?:ly)?\b[^.;\n]{0,12}?\b(?:within|in|from|across|anywhere in)\s+(?:the\s+)?([\p{Lu}][\p{L}.]*(?: [\p{Lu}][\p{L}.]*){0,2})/gu,
    )) {
    const country = countryFrom(match[1]!.replace(/\.$/, ''));
    if (country !== null) found.add(country);
  }
  return [...found];
}
