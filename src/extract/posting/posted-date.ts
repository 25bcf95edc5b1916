// When a posting was published, with how well that is known. "3 weeks ago" is a day give or take a week; "30+ days ago" is only a bound.
// What a reader would get wrong: hours must not be read as days ("5 hours ago" is today), and what cannot be (the future, 1970) is nothing.
import type { DatePrecision } from '../../model/posting/posting.ts';
import { parseDate } from '../dates.ts';

export interface PostedDate {
  posted_at: string | null;
  posted_precision: DatePrecision;
  posted_not_after: string | null;
}

const UNKNOWN: PostedDate = { posted_at: null, posted_precision: 'unknown', posted_not_after: null };
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const EARLIEST_MS = Date.UTC(2000, 0, 1);
const TODAY =
  /\b(?:today|just (?:now|posted)|few (?:hours|minutes|moments) ago|moments ago|new|heute|aujourd['’]hui|hoy|hoje)\b|今天|刚刚|今日/i;
const YESTERDAY = /\b(?:yesterday|gestern|hier|ayer|ontem)\b|昨天|昨日/i;
const UNITS: [RegExp, number][] = [
  [/^(?:min|分)/i, 60_000],
  [/^(?:h|hr|hours?|stunden?|heures?|horas?|小时|時間)/i, HOUR_MS],
  [/^(?:d|days?|tag|tagen?|jours?|d[ií]as?|天|日)/i, DAY_MS],
  [/^(?:w|wk|weeks?|wochen?|semaines?|semanas?|周|週)/i, 7 * DAY_MS],
];
const AGO = /(\d{1,4}|\ban?\b|\bone\b|\beiner?m?\b|\bune?\b)\s{0,2}(\+)?\s{0,2}(\p{L}{1,20})(?:\s{0,2}\+)?/iu;
const MONTHS = /^(?:mo\b|mos\b|months?|monat|monaten?|mois|mes|meses|个月|か月|ヶ月|月)/i;

/** Of a text, or of milliseconds since 1970. */
export function postedDate(said: string | number | null | undefined, nowMs: number): PostedDate {
  if (said === null || said === undefined || said === '') return UNKNOWN;
  if (typeof said === 'number') return exact(said < 1e11 ? said * 1_000 : said, nowMs);
  const text = said.trim();
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return day(text, nowMs);
  if (/^\d{10}$|^\d{13}$/.test(text)) return exact(Number(text) * (text.length === 10 ? 1_000 : 1), nowMs);
  return relative(text, nowMs) ?? absolute(text, nowMs);
}

function exact(ms: number, nowMs: number): PostedDate {
  if (!isPossible(ms, nowMs)) return UNKNOWN;
  return {
    posted_at: new Date(ms).toISOString().replace('.000Z', 'Z'),
    posted_precision: 'exact',
    posted_not_after: null,
  };
}

const isPossible = (ms: number, nowMs: number) => ms >= EARLIEST_MS && ms <= nowMs + DAY_MS;

/** A day as machines write it: what most sources give. */
function day(text: string, nowMs: number): PostedDate {
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  const ms = Date.UTC(year, month - 1, date);
  // The 30th of February is read as the 2nd of March.
  if (month < 1 || month > 12 || new Date(ms).getUTCDate() !== date || !isPossible(ms, nowMs)) return UNKNOWN;
  return { posted_at: `${text}T00:00:00Z`, posted_precision: 'day', posted_not_after: null };
}

function absolute(text: string, nowMs: number): PostedDate {
  const iso = parseDate(text, { now: new Date(nowMs) });
  if (iso === null || !isPossible(Date.parse(iso), nowMs)) return UNKNOWN;
  const isDay = iso.length === 10;
  return {
    posted_at: isDay ? `${iso}T00:00:00Z` : iso,
    posted_precision: isDay ? 'day' : 'exact',
    posted_not_after: null,
  };
}

/** Days before now, as a day: midnight UTC. */
function daysAgo(days: number, nowMs: number, precision: DatePrecision = 'day'): PostedDate {
  return {
    posted_at: `${dayOf(nowMs - days * DAY_MS)}T00:00:00Z`,
    posted_precision: precision,
    posted_not_after: null,
  };
}

export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function relative(text: string, nowMs: number): PostedDate | null {
  if (text.length > 60 || /\d{4}-\d/.test(text)) return null;
  if (TODAY.test(text)) return daysAgo(0, nowMs);
  if (YESTERDAY.test(text)) return daysAgo(1, nowMs);
  const match = AGO.exec(text);
  if (!match || !/ago|vor |il y a|hace|há |前|\d\s*(?:d|h|w|mo)\b|\+/i.test(text)) return null;
  const amount = /^\d/.test(match[1]!) ? Number(match[1]) : 1;
  const unit = UNITS.find(([pattern]) => pattern.test(match[3]!))?.[1];
  const isMonths = MONTHS.test(match[3]!);
  if (unit === undefined && !isMonths) return null;
  const then = isMonths ? monthsBefore(nowMs, amount) : nowMs - amount * unit!;
  if (/\+/.test(text)) return { ...UNKNOWN, posted_not_after: dayOf(then) };
  if (unit !== undefined && unit < DAY_MS)
    return {
      posted_at: new Date(then).toISOString().replace('.000Z', 'Z'),
      posted_precision: 'approximate',
      posted_not_after: null,
    };
  const isDay = unit === DAY_MS && amount === 1 && /\bday ago\b/i.test(text);
  return {
    posted_at: `${dayOf(then)}T00:00:00Z`,
    posted_precision: isDay ? 'day' : 'approximate',
    posted_not_after: null,
  };
}

function monthsBefore(nowMs: number, months: number): number {
  const date = new Date(nowMs);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.getTime();
}
