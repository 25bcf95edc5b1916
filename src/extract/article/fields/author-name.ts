// What pages put around a name, cut down to the name: labels before it, roles, dates and links behind it.
// What a reader would get wrong: degrees ("MD", "PhD") are how authors sign and stay; jobs and firms are said about them and go.
import { withoutEntities } from '../../html/entities.ts';
import { stripEnd } from '../../strip.ts';
import { looksLikePerson } from './person.ts';

export const MAX_NAME_CHARS = 100;

const LABEL =
  /^(?:(?:words|text|story|article|post|written|posted|published|reported|created|authored|reviewed|medically reviewed|contributed|edited|recipe|interview|(?:this|the) (?:post|article|story|piece) (?:was|is) (?:written|authored|contributed))\s)?(?:by|von|par|por)\s?:?\s|^(?:authors?|autor(?:in|en)?|auteur|autore|verfasser(?:in)?|writer|written|text)\s?:\s?/i;
const TAIL =
  /(?:[|•·—–\n]|\s-\s|\bon\s(?=\p{Lu}|\d)|\bupdated\b|\bpublished\b|\bposted\b|\blast\b|\bread more\b|\bfollow\b|\bmin read\b|\d{1,2}[./:-]\d|\b\d{1,2}(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?\p{L}{3,12}\.?,?\s(?:de\s)?\d{4}\b|\b\d{4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,9}\.?\s\d)/iu;
const MORE_TAIL = /\bmore (?:posts|articles|stories|from)\b|\bon behalf of\b/i;
/** "Ada ExampleNovember 20": elements without a space between. */
const STUCK =
  /(?<=\p{Ll})(?:Updated|Published|Posted|January|February|March|April|May|June|July|August|September|October|November|December)\b/u;
const NO_NAME =
  /^(?:.*\badmin|administrator|author|authors|editor|guest|staff|unknown|n\/?a|none|null|undefined|by|share|follow|about|anonymous|home|contributor|.*\bspotlight|about the(?: author)?|posted on|date|view all.*|more from.*|read more.*|all posts.*|see all.*|sign in|log ?in|register|subscribe|menu|written by|posted by|published|staff writers?|guest (?:author|post)|view(?: (?:more )?posts)?|people|guide|profile|website|webmaster|root|super ?user|default|test|news|blog|redaktion|mon|tue|wed|thu|fri|sat|sun|fact checked by.*)$/i;

const WITH_ROLE =
  /,\s(?:[\p{L}'-]{1,30}\s){0,4}(?:attorney|editor|writer|reporter|correspondent|contributor|columnist|specialist|staff|analyst|manager|director|consultant|founder|ceo|cto|engineer)\b/iu;
const ROLE_WORDS = new Set(
  'senior junior chief head lead content marketing managing associate assistant contributing executive staff freelance product software principal editor writer author reporter journalist correspondent founder co-founder ceo cto director manager specialist consultant redakteur redakteurin autor autorin korrespondent korrespondentin chefredakteur chefredakteurin volontär volontärin journaliste rédacteur rédactrice periodista redactor redactora'.split(
    ' ',
  ),
);

/** "Ada Example Marketing Coordinator": the words before the first of a role, when they are two or three that begin like a name. */
function withoutRole(name: string): string {
  const words = name.split(' ');
  const at = words.findIndex((word, i) => i >= 2 && ROLE_WORDS.has(word.toLowerCase()));
  if (at !== 2 && at !== 3) return name;
  const person = words.slice(0, at).join(' ');
  return looksLikePerson(person) ? person : name;
}

/** "Ada Example Ada Example", where the picture beside a name says the name too. */
function saidOnce(name: string): string {
  const words = name.split(' ');
  const half = words.length / 2;
  const first = words.slice(0, half).join(' ');
  return half >= 2 && Number.isInteger(half) && first === words.slice(half).join(' ') ? first : name;
}

/** "says", "at", a link or a number behind a name. */
function withoutLastWord(name: string): string {
  const at = name.lastIndexOf(' ');
  const last = name.slice(at + 1);
  return at > 0 && (last === 'says' || last === 'at' || /^(?:https?:|\d{1,4}$)/.test(last)) ? name.slice(0, at) : name;
}

const LAST_BRACKET = /\([^()]{0,300}\)?$/;
/** A name with all that pages put around it. */
const MAX_RAW_CHARS = 1_000;

function upTo(text: string, end: RegExp): string {
  const at = text.search(end);
  return at < 0 ? text : text.slice(0, at).trimEnd();
}

function isEmail(word: string): boolean {
  const at = word.indexOf('@');
  const dot = word.lastIndexOf('.');
  return at > 0 && dot > at + 1 && dot < word.length - 1;
}

/** Cut down to what can be a name, or empty. */
export function cleanName(raw: string): string {
  let name = withoutEntities(raw.slice(0, MAX_RAW_CHARS))
    .replace(/<[^<>]{0,200}>/g, ' ')
    .replace(/[\u00ad\u200b]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  name = stripEnd(upTo([TAIL, MORE_TAIL, STUCK].reduce(upTo, name.replace(LABEL, '')), LAST_BRACKET), ' ,;:');
  name = saidOnce(stripEnd(withoutLastWord(withoutRole(upTo(name, WITH_ROLE))), ' ,;:'));
  name = name
    .split(' ')
    .filter((word) => !isEmail(word))
    .join(' ')
    .replace(/ ([,;])/g, '$1')
    .trim();
  // A path of a template, not a name.
  if (/^[\w-]+\.[\w-]+\.[\w.-]+$/.test(name)) return '';
  // "1,677 new writers", "5 min".
  if (/^\d[\d,.]*(?:,\d{3}\s|\s(?:min|minutes?|read|views?|comments?|posts?|articles?|shares?)\b)/i.test(name))
    return '';
  if (name.length < 2 || name.length > MAX_NAME_CHARS || !/\p{L}{2}/u.test(name)) return '';
  if (
    /^(?:https?:|www\.|@)|[<>{}[\]=]/i.test(name) ||
    NO_NAME.test(name) ||
    (/[.!?]$/.test(name) && /[.!?] \p{Lu}/u.test(name))
  )
    return '';
  return name.split(' ').length > 14 ? '' : name;
}

const BETWEEN_NAMES = /\s?[,;&]\s?(?:(?:and|und|et|y|e|en)\s)?|\s(?:and|und|et|y|e|en)\s/;
const DEGREE = /^(?:[A-Z][A-Za-z.-]{0,6}[A-Z.®]|[A-Z]{2,8}|[JS]r\.?|I{2,3})$/;

/** The persons of "Ada Example, PhD, Ben Sample and Cleo Probe", with their degrees; none when one of the parts is no person. */
export function personsIn(line: string): string[] {
  const persons: string[] = [];
  for (const part of line.slice(0, MAX_RAW_CHARS).split(BETWEEN_NAMES)) {
    if (looksLikePerson(part)) persons.push(part);
    else if (persons.length > 0 && DEGREE.test(part)) persons.push(`${persons.pop()}, ${part}`);
    else return [];
  }
  return persons;
}
