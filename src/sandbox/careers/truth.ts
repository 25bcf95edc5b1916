// The truth about made-up companies: which positions a board has at a moment, and what each says. Positions appear, are edited, vanish, and a
// few come back, all of it following from (seed, vendor, token, time): a test knows what a scrape at that moment must find.
// Any token is a company. `name-2600` has about that many positions, `empty-…` none, `gone-…` does not exist; see quirksOf for the others.
import { hash32, Random } from '../random.ts';
import words from './words.json' with { type: 'json' };

export interface TruePlace {
  city: string;
  regionCode: string;
  region: string;
  countryCode: string;
  country: string;
}

export interface TruePosition {
  /** Unique within its board; each vendor has its own format. */
  number: number;
  title: string;
  department: string;
  place: TruePlace;
  remote: 'remote' | 'hybrid' | 'onsite';
  type: 'full_time' | 'part_time' | 'contract' | 'internship';
  level: string;
  pay: { min: number; max: number; currency: string } | null;
  paragraphs: string[];
  duties: string[];
  bornMs: number;
  /** Of the last edit, or its birth. */
  changedMs: number;
}

export interface BoardName {
  vendor: string;
  token: string;
}

const DAY_MS = 86_400_000;
const [MIN_LIFE_DAYS, MAX_LIFE_DAYS] = [10, 60];
const MEAN_LIFE_DAYS = (MIN_LIFE_DAYS + MAX_LIFE_DAYS) / 2;
const USUAL_SIZES = [2, 4, 6, 8, 12, 18, 25, 40];

export function companyName(token: string): string {
  const bare = token.replace(/^(?:broken|nameless|dup|shrink|moved|locked|empty|legal)-/, '');
  const name = bare
    .replace(/-\d+$/, '')
    .split(/[-_.]/)
    .filter((part) => part !== '');
  return name.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(' ') || 'Aldermoor';
}

/** Tokens of made-up companies, for whoever needs many: `aldermoor-works-12`-like names would set a size, so numbers are spelled as letters. */
export function companyTokens(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const name = (words.companies[i % words.companies.length] as string).toLowerCase().replace(/ /g, '-');
    const round = Math.floor(i / words.companies.length);
    return round === 0 ? name : `${name}-${letters(round)}`;
  });
}

function letters(n: number): string {
  return n < 26 ? String.fromCharCode(97 + n) : letters(Math.floor(n / 26)) + String.fromCharCode(97 + (n % 26));
}

export function exists(token: string): boolean {
  return /^[a-z0-9][\w.-]*$/i.test(token) && !token.startsWith('gone-');
}

/** How many positions the board has on an ordinary day. */
export function sizeOf({ vendor, token }: BoardName, seed = 0): number {
  if (token.startsWith('empty-')) return 0;
  const stated = /-(\d{1,5})$/.exec(token)?.[1];
  return stated === undefined
    ? (USUAL_SIZES[hash32(`${vendor} ${token} size`, seed) % USUAL_SIZES.length] as number)
    : Number(stated);
}

/** The open positions of a board, newest first. */
export function positionsAt(board: BoardName, nowMs: number, seed = 0): TruePosition[] {
  if (!exists(board.token)) return [];
  const perDay = sizeOf(board, seed) / MEAN_LIFE_DAYS;
  const today = Math.floor(nowMs / DAY_MS);
  const found: TruePosition[] = [];
  for (let day = today; day >= today - MAX_LIFE_DAYS; day--) {
    const chance = hash32(`${board.vendor} ${board.token} ${day}`, seed) / 2 ** 32;
    const births = Math.floor(perDay) + (chance < perDay % 1 ? 1 : 0);
    for (let i = 0; i < births; i++) {
      const position = positionOf(board, day, i, nowMs, seed);
      if (position !== null) found.push(position);
    }
  }
  return found.sort((a, b) => b.bornMs - a.bornMs || b.number - a.number);
}

/** The position born as the `i`th of a day, as it is at `nowMs`; null when it is not open then. */
function positionOf(board: BoardName, day: number, i: number, nowMs: number, seed: number): TruePosition | null {
  const random = new Random(hash32(`${board.vendor} ${board.token} ${day}.${i}`, seed));
  const bornMs = day * DAY_MS + random.between(0, DAY_MS - 1);
  const lifeMs = random.between(MIN_LIFE_DAYS, MAX_LIFE_DAYS) * DAY_MS;
  const ageMs = nowMs - bornMs;
  if (ageMs < 0 || ageMs >= lifeMs) return null;
  const pauses = random.chance(0.08);
  if (pauses && ageMs >= 4 * DAY_MS && ageMs < 7 * DAY_MS) return null;
  const editedAfterMs = random.chance(0.3) ? random.between(2, 9) * DAY_MS : Number.POSITIVE_INFINITY;
  const editOf = random.pick(['title', 'pay', 'place', 'text'] as const);
  const edit = ageMs >= editedAfterMs ? editOf : null;
  const department = random.pick(DEPARTMENTS);
  const [levelWord, level] = random.pick(words.levels) as [string, string];
  const work = random.pick(words.fields[department]);
  const [first, second] = [random.pick(PLACES), random.pick(PLACES)];
  const [city, regionCode, region, countryCode, country, currency] = edit === 'place' ? second : first;
  const isIntern = random.chance(0.07);
  const minPay = random.between(38, 140) * 1_000;
  const raise = edit === 'pay' ? 5_000 : 0;
  const hasPay = random.chance(0.55);
  const title = isIntern ? `${work} Intern` : `${levelWord}${work}${edit === 'title' ? ', Platform' : ''}`;
  return {
    number: day * 10_000 + i,
    title,
    department,
    place: { city, regionCode, region, countryCode, country },
    remote: random.pick(['onsite', 'onsite', 'hybrid', 'hybrid', 'remote'] as const),
    type: isIntern
      ? 'internship'
      : random.pick(['full_time', 'full_time', 'full_time', 'full_time', 'part_time', 'contract'] as const),
    level: isIntern ? 'intern' : level,
    pay:
      hasPay && !isIntern
        ? { min: minPay + raise, max: minPay + raise + random.between(8, 40) * 1_000, currency }
        : null,
    ...prose(random, board, work, edit === 'text'),
    bornMs,
    changedMs: edit === null ? bornMs : bornMs + editedAfterMs,
  };
}

type Department = keyof typeof words.fields;
const DEPARTMENTS = Object.keys(words.fields) as Department[];
const PLACES = words.places as [string, string, string, string, string, string][];

function prose(
  random: Random,
  board: BoardName,
  work: string,
  isEdited: boolean,
): Pick<TruePosition, 'paragraphs' | 'duties'> {
  const line = () => `You will ${random.pick(words.verbs)} ${random.pick(words.objects)}.`;
  const paragraphs = [
    `${companyName(board.token)} is looking for a colleague as ${work}. ${line()}`,
    `${random.pick(words.asks)}. ${random.pick(words.asks)}. Ask us about research & planning.`,
    `${random.pick(words.benefits)}, and ${random.pick(words.benefits).toLowerCase()}.`,
  ];
  if (isEdited) paragraphs.push('We have since extended the deadline for this role.');
  return { paragraphs, duties: [line(), line(), line()] };
}

/** The fault of a board, by its token. */
export interface Quirks {
  /** `broken-…`: one more row that has an id and no title. */
  untitledRow: boolean;
  /** `nameless-…`: one more row with a title and no id. */
  namelessRow: boolean;
  /** `dup-…`: the last row of a page comes again on the next. */
  duplicates: boolean;
  /** `shrink-…`: the total is smaller on later pages. */
  shrinks: boolean;
  /** `moved-…`: sends visitors to another host. */
  moved: boolean;
  /** `locked-…`: wants a token. */
  locked: boolean;
}

export function quirksOf(token: string): Quirks {
  const has = (prefix: string) => token.startsWith(`${prefix}-`);
  return {
    untitledRow: has('broken'),
    namelessRow: has('nameless'),
    duplicates: has('dup'),
    shrinks: has('shrink'),
    moved: has('moved'),
    locked: has('locked'),
  };
}
