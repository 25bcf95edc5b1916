// The level of a job from its title, then from the source's own word for it. The highest level stated wins: "(Senior/Principal) Engineer" is principal.
// What a reader would get wrong: many words that name levels are part of other titles. A "Staff Accountant", an "Art Director", a "Lead Generation
// Specialist" and a "Product Manager" are none of these.
import { createMemo } from '../../model/memo.ts';
import type { Seniority } from '../../model/posting/posting.ts';
import words from './seniority-words.json' with { type: 'json' };

const RULES: [Seniority, RegExp][] = [
  [
    'intern',
    /\bintern(?:s|ship)?\b(?! (?:program|coordinator|manager|recruit))|\bwerkstudent|\bpraktik(?:um|ant)|\balternan(?:ce|te?)\b|\bstagiaire\b|\bstage\b(?!\s*\d)(?=.{0,100}(?:h\/f|f\/h|stage\s?[-–(]))|^stage\b(?!\s*\d)|\bestági[oá]|\bbecari[oa]\b|\bprácticas\b|\bco-?op\b|\bapprentice|\bauszubild|\bausbildung\b|\bworking student\b|\bstudent\b(?! (?:success|affairs|services?|support|engagement|advis|recruit|accounts?|life|experience|financial|loan|svc))|\bv\.?i\.?e\b|\btrainee\b|\bfellow\b(?!ship)/i,
  ],
  [
    'executive',
    /\bchief\b.{0,30}\bofficer\b|(?<![\p{L}])C[ETFOIMPS]O(?![\p{L}])(?!\s*(?:advis|office|group|practice|program))|\bgeschäftsführer|\bmanaging director\b|(?<!vice[ -]|vice-)\bpresident\b(?! club)|\bdirecteur général\b|\bprovost\b/iu,
  ],
  ['vp', /\b[sea]?vp\b|\bvice[ -]president\b/i],
  [
    'director',
    /(?<!\b(?:art|creative|funeral|music|casting|choir|stage|film|photo|camp|athletic|medical lab) )\bdirectors?\b|\bdirecteur|\bdirectrice|\bhead of\b|\bbusiness head\b|\bdean\b|\bdirektor/i,
  ],
  ['principal', /\bprincipal\b(?! (?:reduction|office))|\bprinc\b|\bdistinguished\b/i],
  [
    'staff',
    /\bstaff\b(?=\s+(?:[\w/&+.-]+\s+){0,3}(?:engineer|developer|scientist|designer|architect|researcher|programmer|analyst|sre|technical))|\b(?:engineer|architect|developer|scientist)\s+staff\b/i,
  ],
  [
    'manager',
    /\bmanagers?\b|\bmgr\b|\bmanger\b|\bgerente\b|\bleiter(?:in)?\b|\bresponsable\b|\bsupervisor, |\bchef de (?:service|département)/i,
  ],
  [
    'lead',
    /\blead\b(?! (?:gen|generation|qualif|management|nurtur|time|paint|acid|-free))|\bteam ?lead(?:er)?\b|\btechnical leader\b|\btech ?lead\b|\bteamleiter|\bTL\b/i,
  ],
  [
    'senior',
    /\bsenior\b|\bsr\b|\bsnr\b|\bsênior\b|\bconfirmée?(?!\p{L})|\bexpérimentée?(?!\p{L})|\b(?:III|IV)\b|\blevel [345]\b|\b[a-z]+ [345](?: [a-z]{2})?$|\bSSE\b|\bstarszy\b/iu,
  ],
  [
    'mid',
    /\bII\b|\bintermediate\b|\bmid[- ]?level\b|\bL2\b|\b[a-z]+ 2(?: [a-z]{2})?$|\bmid\b(?=[- ](?:senior|weight))/i,
  ],
  [
    'entry',
    /\bjunior\b|\bjr\b|\bgraduate\b(?! (?:school|program(?:me)? (?:manager|coord)|admissions|studies))|\bentry[- ]level\b|\bentry\b(?=\s*[-–])|\bassociates?\b|\bassoc\b|\bL1\b|\b[a-z]{1,40} 1(?: [a-z]{2,3})?$|\bearly career\b|\bdébutante?\b|\bberufseinsteiger|\bnew grad\b|\bassistant (?:distribution|coordinator)/i,
  ],
];
/** Numerals of one letter are capitals and stand alone: "Västerås" is no fifth level, and "i" is a word of half a dozen languages. */
const NUMERALS: [Seniority, RegExp][] = [
  ['senior', /(?<![\p{L}\p{M}\p{N}_])V(?![\p{L}\p{M}\p{N}_])/u],
  [
    'entry',
    /(?<![\p{L}\p{M}\p{N}_])I(?![\p{L}\p{M}\p{N}_/&]|\s*[/&](?!\s*II))|(?<![\p{L}\p{M}\p{N}_])I(?=\s*\/\s*II)/u,
  ],
];
/** They manage a product or a project, not people. */
const NO_PEOPLE =
  /\b(?:product|project|program(?:me)?|account|success|release|change|content|marketing|communications?|community|treasury|vendor|partner|policy|portfolio|contract|category|campaign|brand|case|property|relationship|delivery? lead|release|social media|operations manager, platform)s?\b(?:\s+(?:&\s+)?[\w/&-]+){0,2}?\s+(?:manager|mgr)\b|\bmanager-communications\b/i;
const ENTRY_EXCEPT = /\bassociate\s+(?:director|dean|vice|manager|professor|principal|general|counsel)/i;

/** Phrase → what it says. A level, or that the words inside it are none. */
const PHRASES: ReadonlyMap<string, string> = new Map(
  Object.entries(words)
    .filter(([level]) => level !== 'about')
    .flatMap(([level, list]) => list.split('|').map((phrase) => [phrase, level] as const)),
);
const MAX_PHRASE_WORDS = 4;

/** Levels by words that are not English; the longest phrase hides what is inside it. */
function namedIn(title: string): Set<string> {
  const said = title.toLowerCase().match(/[\p{L}\p{M}\d]+/gu) ?? [];
  const levels = new Set<string>();
  for (let i = 0; i < said.length; i++)
    for (let length = Math.min(MAX_PHRASE_WORDS, said.length - i); length > 0; length--) {
      const level = PHRASES.get(said.slice(i, i + length).join(' '));
      if (level === undefined) continue;
      levels.add(level);
      i += length - 1;
      break;
    }
  return levels;
}

const MAX_CHARS = 300;
const titles = createMemo<Seniority>(10_000);

export const seniorityOfTitle = (title: string): Seniority => titles(title, readTitle);

function readTitle(title: string): Seniority {
  const text = title
    .slice(0, MAX_CHARS)
    .replace(/\bsr\.(?=\s|$)/gi, 'senior')
    .replace(/\bjr\.(?=\s|$)/gi, 'junior')
    .replace(/_/g, ' ');
  const named = namedIn(text);
  for (const [level, pattern] of NUMERALS) if (pattern.test(text)) named.add(level);
  const stated = RULES.filter(([level, pattern]) => named.has(level) || pattern.test(text)).map(([level]) => level);
  const isManager = stated.includes('manager');
  const managesPeople = isManager && !NO_PEOPLE.test(text);
  const levels = stated.filter(
    (level) => (level !== 'manager' || managesPeople) && !(level === 'entry' && ENTRY_EXCEPT.test(text)),
  );
  return levels[0] ?? (isManager ? 'mid' : 'unknown');
}

const LABELS: [RegExp, Seniority][] = [
  [/intern(?:ship)?|student|trainee|apprentice|praktik/i, 'intern'],
  [/entry|junior|associate|graduate|berufseinstieg|ingångsnivå|no[_ ]experience/i, 'entry'],
  [/mid|experienced|intermediate|berufserfahren|(?<!mycket )erfaren/i, 'mid'],
  [/executive|c[- ]level|chief/i, 'executive'],
  [/vice.?president|\bvp\b/i, 'vp'],
  [/director|head/i, 'director'],
  [/manager|supervisor/i, 'manager'],
  [/principal/i, 'principal'],
  [/staff/i, 'staff'],
  [/lead/i, 'lead'],
  [/senior|expert|mycket erfaren/i, 'senior'],
];

/** A source's own word: LinkedIn "Mid-Senior level", SmartRecruiters `mid_senior_level`, Personio `experienced`. */
export function seniorityOfLabel(label: string | null | undefined): Seniority {
  if (!label || /not.?applicable|unknown|any|other/i.test(label)) return 'unknown';
  return LABELS.find(([pattern]) => pattern.test(label))?.[1] ?? 'unknown';
}

/** The title says it best; the label only where the title is silent. */
export function seniority(title: string, label?: string | null): Seniority {
  const titled = seniorityOfTitle(title);
  return titled === 'unknown' ? seniorityOfLabel(label) : titled;
}
