// How company names, titles and places are spelled for comparing them across sources. These keys are never shown.
// What a reader would get wrong: a key may be empty (a title of emoji only), and an empty key equals nothing.
import { createMemo } from '../memo.ts';
import type { JobLocation, RemoteType } from './posting.ts';

/** Legal forms at the end of a name say nothing about which company it is. */
const LEGAL_FORM =
  /^(?:inc|incorporated|corp|corporation|co|company|llc|llp|lp|ltd|limited|plc|gmbh|ag|kg|se|mbh|ug|sa|sas|sarl|sl|slu|srl|spa|bv|nv|ab|as|asa|aps|oy|oyj|pty|pte|pvt|private|kk|kft|zrt|doo|sro|group|holdings?)$/;
/** "(m/w/d)" and its relatives, and tags that recruiters add for search. */
const GENDERS = /[([{] ?(?:[a-zäöü*]{1,9} ?[/|,] ?){1,3}[a-zäöü*]{1,9} ?[)\]}]/gi;
const HASHTAG = /#[a-z]{2}-\w+/gi;
const GENDER_LETTERS = /^[mwfdxhivnagtöü*/|,\s()[\]{}]*$|(?:all|gender|divers|alle)/i;
const ABBREVIATIONS: Record<string, string> = { sr: 'senior', jr: 'junior', mgr: 'manager', eng: 'engineer' };

const companies = createMemo<string>(10_000);
const titles = createMemo<string>(10_000);
const cities = createMemo<string>(5_000);

export const companyKey = (name: string): string => companies(name, readCompany);
export const titleKey = (title: string): string => titles(title, readTitle);

function readCompany(name: string): string {
  const words = plain(name)
    .replace(/ sp z o ?o$/, '')
    .split(' ');
  while (words.length > 1 && LEGAL_FORM.test(words.at(-1)!)) words.pop();
  return (words[0] === 'the' && words.length > 1 ? words.slice(1) : words).join(' ');
}

function readTitle(title: string): string {
  const bare = title.replace(GENDERS, (match) => (GENDER_LETTERS.test(match) ? ' ' : match)).replace(HASHTAG, ' ');
  return plain(bare)
    .split(' ')
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(' ');
}

/** City and country; `remote` where the work is nowhere in particular. */
export function placeKey(place: JobLocation | null, remote: RemoteType): string {
  if (place?.city) return `${cities(place.city, plain)}|${place.country ?? ''}`;
  if (remote === 'remote') return `remote|${place?.country ?? ''}`;
  return place === null ? '' : `${plain(place.region ?? '')}|${place.country ?? ''}`;
}

/** Lower case, no accents, letters and digits of any script, single spaces. `+` and `#` stay: C, C++ and C# are different jobs. */
export function plain(text: string): string {
  const bare = ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '');
  return bare
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}+#]+/gu, ' ')
    .trim();
}

/** Nothing to take apart; most names. */
const ASCII = /^[\x20-\x7e]*$/;
