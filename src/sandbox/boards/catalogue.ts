// A hundred thousand made-up jobs, each computed from its number when somebody looks at it. Job boards show parts of this one world, so the same job
// stands on several boards and a test knows which postings are the same.
// What a reader would get wrong: nothing is stored. Role and place follow from the number by arithmetic, so that a search does not look at every job.
import { BoundedMap } from '../bounded.ts';
import { hash32, Random } from '../random.ts';
import words from './words.json' with { type: 'json' };

export const JOBS = 100_000;
const DAY_MS = 86_400_000;
/** A job is advertised for so many days, then again as another advertisement. */
const LIFE_DAYS = 45;

export interface JobPlace {
  city: string;
  regionCode: string;
  region: string;
  country: string;
  countryName: string;
}

export type JobType = 'full_time' | 'part_time' | 'contract' | 'internship';

/** What a search decides by; cheap. */
export interface JobHead {
  number: number;
  type: JobType;
  isRemote: boolean;
  ageDays: number;
  /** Which advertisement of this job it is. */
  round: number;
}

export interface Job extends JobHead {
  /** For what some rows have and others lack: `dice % 5 === 0` is a fifth of them. */
  dice: number;
  title: string;
  company: string;
  companyNumber: number;
  place: JobPlace;
  pay: { min: number; max: number; currency: string; unit: 'year' | 'hour' } | null;
  /** The board's guess, where the employer says nothing. */
  guess: { min: number; max: number; currency: string };
  isHybrid: boolean;
  skills: string[];
  years: number;
  opening: string;
  duties: string[];
  asks: string[];
  perks: string[];
  /** Where the employer takes applications; null for those that take them on the board. */
  applyUrl: string | null;
  bornMs: number;
}

const { roles, companies, trades } = words;
const PLACES: JobPlace[] = words.places.map(([city, regionCode, region, country]) => ({
  city: city!,
  regionCode: regionCode!,
  region: region!,
  country: country!,
  countryName: countryOf(country!)[0],
}));

function countryOf(code: string): [name: string, currency: string, scale: number] {
  return (words.countries as unknown as Record<string, [string, string, number]>)[code]!;
}

export const placeOf = (number: number): JobPlace => PLACES[Math.floor(number / roles.length) % PLACES.length]!;
const roleOf = (number: number) => roles[number % roles.length]!;

export function headOf(number: number, nowMs: number, seed = 0): JobHead {
  const h = hash32(`head ${number}`, seed);
  const today = Math.floor(nowMs / DAY_MS);
  const kind = h % 20;
  return {
    number,
    type: kind < 14 ? 'full_time' : kind < 16 ? 'part_time' : kind < 19 ? 'contract' : 'internship',
    isRemote: (h >>> 8) % 6 === 0,
    ageDays: (today + (h >>> 12)) % LIFE_DAYS,
    round: Math.floor((today + (h >>> 12)) / LIFE_DAYS),
  };
}

export function jobAt(number: number, nowMs: number, seed = 0): Job {
  const head = headOf(number, nowMs, seed);
  const random = new Random(hash32(`job ${number} ${head.round}`, seed));
  const role = roleOf(number);
  const place = placeOf(number);
  const [, currency, scale] = countryOf(place.country);
  // A tenth of the jobs of a role and place are with one company and called the same: different jobs that only their texts and pay tell apart.
  const twins =
    hash32(`twin ${number}`, seed) % 10 === 0 ? hash32(`twins ${number % (roles.length * PLACES.length)}`, seed) : null;
  const [ownLevel, ownCompany] = [random.pick(words.levels), random.between(0, companies.length * trades.length - 1)];
  const level =
    head.type === 'internship' ? '' : twins === null ? ownLevel : words.levels[twins % words.levels.length]!;
  const companyNumber = twins === null ? ownCompany : twins % (companies.length * trades.length);
  const company = companyName(companyNumber);
  const base =
    role.pay *
    scale *
    (/Senior|Lead/.test(level) ? 1.3 : /Staff|Principal/.test(level) ? 1.6 : /Junior/.test(level) ? 0.75 : 1);
  const isHourly = role.pay < 60 && place.country === 'US' && random.chance(0.7);
  const min = isHourly
    ? Math.round((base * 1_000) / 2_080) + random.between(0, 3) + 0.5
    : Math.round(base) * 1_000 + random.between(0, 9) * 500;
  const pay = {
    min,
    max: isHourly ? min + random.between(2, 9) : Math.round((min * random.between(110, 140)) / 100_000) * 1_000,
    currency,
    unit: isHourly ? ('hour' as const) : ('year' as const),
  };
  const years =
    /Junior/.test(level) || head.type === 'internship'
      ? 1
      : /Senior|Lead/.test(level)
        ? 5
        : /Staff|Principal/.test(level)
          ? 8
          : 3;
  const fill = (text: string) =>
    text
      .replace('{company}', company)
      .replace('{city}', place.city)
      .replace('{thing}', random.pick(words.things))
      .replace('{size}', String(random.between(6, 90)))
      .replace('{year}', String(random.between(1950, 2020)))
      .replace('{years}', String(years))
      .replace('{skill1}', role.skills[0]!)
      .replace('{skill2}', role.skills[1]!)
      .replace('{skill3}', role.skills[2]!);
  const some = (list: string[], count: number) =>
    Array.from({ length: count }, (_, i) => list[(random.between(0, list.length - 1) + i) % list.length]!);
  return {
    ...head,
    dice: hash32(`dice ${number}`, seed),
    title: `${level}${role.name}${head.type === 'internship' ? ' Intern' : ''}`,
    company: company + random.pick(words.forms),
    companyNumber,
    place,
    pay: random.chance(0.6) ? pay : null,
    guess: { min: Math.round(base * 0.85) * 1_000, max: Math.round(base * 1.2) * 1_000, currency },
    isHybrid: !head.isRemote && random.chance(0.2),
    skills: role.skills,
    years,
    opening: fill(random.pick(words.openings)),
    duties: [...new Set(some(words.duties, random.between(4, 7)))],
    asks: [fill(words.asks[0]!), fill(words.asks[1]!), fill(random.pick(words.asks.slice(2)))],
    perks: [...new Set(some(words.perks, 3))],
    applyUrl: random.chance(0.6) ? `https://careers.${slug(company)}.example/jobs/${number}-${head.round}` : null,
    bornMs:
      Math.floor(nowMs / DAY_MS) * DAY_MS -
      head.ageDays * DAY_MS +
      random.between(0, DAY_MS - 1) * (head.ageDays > 0 ? 1 : 0),
  };
}

export const companyName = (number: number): string =>
  `${companies[number % companies.length]} ${trades[Math.floor(number / companies.length) % trades.length]}`;
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

export interface JobQuery {
  board: string;
  /** Of a hundred jobs of the world, how many this board shows. */
  share: number;
  term: string;
  where?: string | null;
  countries?: readonly string[] | null;
  type?: JobType | null;
  isRemote?: boolean;
  maxAgeDays?: number | null;
  seed: number;
  nowMs: number;
}

const found = new BoundedMap<number[]>(2_000_000, (list) => list.length + 100);

/** Numbers of the jobs a board shows for a search, in the board's order. A memo of a pure function: the same day and question, the same answer. */
export function findJobs(query: JobQuery): number[] {
  const day = Math.floor(query.nowMs / DAY_MS);
  const key = JSON.stringify([
    query.board,
    query.share,
    query.term.toLowerCase(),
    query.where?.toLowerCase() ?? '',
    query.countries ?? '',
    query.type ?? '',
    query.isRemote ?? false,
    query.maxAgeDays ?? '',
    query.seed,
    day,
  ]);
  const known = found.get(key);
  if (known) return known;
  const list = search(query);
  found.set(key, list);
  return list;
}

function search({ board, share, term, where, countries, type, isRemote, maxAgeDays, seed, nowMs }: JobQuery): number[] {
  const wanted = term
    .toLowerCase()
    .replace(/#\w+/g, ' ')
    .split(/[^a-z0-9+#.]+/)
    .filter((word) => word !== '');
  const roleNumbers = roles.flatMap((role, i) =>
    matches(wanted, [role.name, ...role.skills, ...words.levels, 'intern'].join(' ').toLowerCase()) ? [i] : [],
  );
  // As on the real boards: a place called "remote" is any place, worked for from home.
  const named = where?.toLowerCase().trim();
  const place = named === 'remote' ? null : named;
  const isFromHome = isRemote || named === 'remote';
  const places = PLACES.flatMap((one, i) =>
    (!countries || countries.includes(one.country)) && (!place || isAt(one, place)) ? [i] : [],
  );
  const list: number[] = [];
  const perRound = roles.length * PLACES.length;
  for (let start = 0; start < JOBS; start += perRound)
    for (const p of places)
      for (const r of roleNumbers) {
        const number = start + p * roles.length + r;
        if (number >= JOBS || !isOn(board, share, number, seed)) continue;
        const head = headOf(number, nowMs, seed);
        if (
          (type && head.type !== type) ||
          (isFromHome && !head.isRemote) ||
          (maxAgeDays != null && head.ageDays > maxAgeDays)
        )
          continue;
        list.push(number);
      }
  return list;
}

const matches = (wanted: string[], text: string) => wanted.length > 0 && wanted.every((word) => text.includes(word));

function isAt(place: JobPlace, text: string): boolean {
  const names = [
    place.city,
    place.region,
    place.countryName,
    `${place.city}, ${place.regionCode}`,
    `${place.city}, ${place.countryName}`,
  ].map((name) => name.toLowerCase());
  return (
    names.some((name) => name === text || text.startsWith(`${name},`)) ||
    place.country.toLowerCase() === text ||
    (text === 'usa' && place.country === 'US')
  );
}

export const isOn = (board: string, share: number, number: number, seed = 0): boolean =>
  hash32(`${board} ${number}`, seed) % 100 < share;
