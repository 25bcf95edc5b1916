// Dates as people and pages write them, to ISO 8601.
// What a reader would get wrong: the offset a page states is kept, not turned into UTC. An article of the evening of the 8th in
// California is of the 8th, and a reader who wants an instant still has one. A date without a time stays a date.

export interface DateOptions {
  /** For relative dates ("3 hours ago") and to refuse the future. */
  now?: Date;
  /** Language of the text, for 3/4/2024; English of unknown country is read the American way. */
  language?: string | null;
  /** False: only dates that say their year, not "3 hours ago". */
  relative?: boolean;
}

const DAY_MS = 86_400_000;
const EARLIEST_YEAR = 1900;
// Clocks differ and zones are guessed: a little into the future is today.
const FUTURE_MS = 2 * DAY_MS;

/** The date a text is, or begins with, or holds; null when it holds none that can be. Texts longer than 200 characters are cut. */
export function parseDate(text: string, options: DateOptions = {}): string | null {
  const clean = text
    .slice(0, 200)
    .replace(/[\u200e\u200f]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (clean === '') return null;
  const found =
    (hasYear(clean) ? absolute(clean, options) : null) ??
    (options.relative === false ? null : relative(clean, options.now));
  return found !== null && isPlausible(found, options.now) ? found : null;
}

/** Every spelling but "two days ago" has four digits in a row; most lines have not, and the patterns are expensive. */
const hasYear = (text: string): boolean => /\d{4}/.test(text);

function absolute(text: string, { language }: DateOptions): string | null {
  return isoDate(text) ?? namedMonth(text) ?? eastAsian(text) ?? numeric(text, language) ?? compact(text);
}

function isPlausible(iso: string, now = new Date()): boolean {
  const time = Date.parse(iso);
  return !Number.isNaN(time) && time <= now.getTime() + FUTURE_MS && Number(iso.slice(0, 4)) >= EARLIEST_YEAR;
}

function isoDate(text: string): string | null {
  const m =
    /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:T|\s+|t)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2}(?!\d))?)?/.exec(
      text,
    );
  return m ? compose(m[1]!, m[2]!, m[3]!, timeOf(m[4], m[5], m[6], m[7])) : null;
}

const MONTH_WORD = String.raw`(\p{L}[\p{L}\p{M}]{2,14})\.?`;
const CLOCK = String.raw`(?:[\s,–—|•·-]{0,9}(?:at|um|à|a las|às|alle|kl\.?|klo|о|в|@)?\s{0,9}(\d{1,2})[:.h](\d{2})(?::(\d{2}))?\s{0,9}([ap]\.?m\.?)?\s{0,9}(Z|UTC|GMT|E[SD]T|C[SD]T|M[SD]T|P[SD]T|BST|CES?T|IST|[+-]\d{2}:?\d{2})?)?`;
const DAY_FIRST = new RegExp(
  String.raw`(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|\.|-)?[\s-]{0,9}(?:of |de |d')?${MONTH_WORD}(?:[\s,-]{1,9}|\s{0,9}(?:de|del) )(\d{4})(?!\d)${CLOCK}`,
  'iu',
);
const MONTH_FIRST = new RegExp(
  String.raw`(?<!\p{L})${MONTH_WORD}\s{0,9}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,9}(\d{4})(?!\d)${CLOCK}`,
  'iu',
);
const YEAR_FIRST = new RegExp(String.raw`(?<!\d)(\d{4})[\s,.]{1,9}${MONTH_WORD}\s{1,9}(\d{1,2})(?!\d)`, 'iu');

function namedMonth(text: string): string | null {
  let m = DAY_FIRST.exec(text);
  let month = m && monthOf(m[2]!);
  if (m && month) return compose(m[3]!, month, m[1]!, clockOf(m, 4));
  m = MONTH_FIRST.exec(text);
  month = m && monthOf(m[1]!);
  if (m && month) return compose(m[3]!, month, m[2]!, clockOf(m, 4));
  m = YEAR_FIRST.exec(text);
  month = m && monthOf(m[2]!);
  return m && month ? compose(m[1]!, month, m[3]!, null) : null;
}

function eastAsian(text: string): string | null {
  const m = /(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일](?:\s*(\d{1,2})[:時时시]\s*(\d{2}))?/.exec(text);
  return m ? compose(m[1]!, m[2]!, m[3]!, timeOf(m[4], m[5], undefined, undefined)) : null;
}

const MONTH_BEFORE_DAY = /^en(?:-us|-ca|-ph)?$/i;

function numeric(text: string, language?: string | null): string | null {
  const year = /(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/.exec(text);
  if (year) return compose(year[1]!, year[2]!, year[3]!, null);
  const m =
    /(?<![\d/.])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?!\d)(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]\.?m\.?)?)?/i.exec(
      text,
    );
  if (!m) return null;
  const [first, second] = [Number(m[1]), Number(m[3])];
  const monthFirst = second > 12 || (first <= 12 && m[2] === '/' && MONTH_BEFORE_DAY.test(language ?? 'en'));
  return compose(
    m[4]!,
    monthFirst ? m[1]! : m[3]!,
    monthFirst ? m[3]! : m[1]!,
    timeOf(m[5], m[6], m[7], undefined, m[8]),
  );
}

/** 20240301, and seconds or milliseconds since 1970, when that is all the text is. */
function compact(text: string): string | null {
  const m = /^(\d{4})(\d{2})(\d{2})(?:T?\d{4,6}Z?)?$/.exec(text);
  if (m) return compose(m[1]!, m[2]!, m[3]!, null);
  if (!/^\d{10}(?:\d{3})?$/.test(text)) return null;
  return new Date(Number(text) * (text.length === 10 ? 1_000 : 1)).toISOString();
}

const UNIT_MS: [RegExp, number][] = [
  [/^(?:s|sec|second|sekunde|seconde|segundo|сек)/, 1_000],
  [/^(?:min|минут)/, 60_000],
  [/^(?:h|hr|hour|stunde|heure|hora|ora|ore|uur|час)/, 3_600_000],
  [/^(?:d|day|tag|jour|día|dia|giorn|dag|дн|ден)/, DAY_MS],
  [/^(?:w|week|woche|semaine|semana|settiman|недел)/, 7 * DAY_MS],
  [/^(?:month|monat|mois|mes|mese|maand|месяц)/, 30 * DAY_MS],
];
const AGO =
  /(?<![\p{L}\d])(?:vor|il y a|hace|há)?\s?(\d{1,3}|an?|one|einer?|une?)\s{0,2}(\p{L}{1,20})\.?\s{0,2}(?:ago|fa|geleden|atrás|назад|temu|sedan|siden|$)/iu;
const DAYS_BACK: [RegExp, number][] = [
  [/(?<!\p{L})(?:yesterday|gestern|hier|ayer|ontem|ieri|gisteren|вчера)(?!\p{L})/iu, 1],
  [/(?<!\p{L})(?:today|just now|heute|aujourd'hui|hoy|hoje|oggi|vandaag|сегодня)(?!\p{L})/iu, 0],
];

function relative(text: string, now = new Date()): string | null {
  if (text.length > 60) return null;
  for (const [word, days] of DAYS_BACK)
    if (word.test(text)) return new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
  if (!/\bago\b|\bfa\b|geleden|atrás|назад|temu|sedan|siden|^vor\b|il y a|^hace\b|^há\b/i.test(text)) return null;
  const m = AGO.exec(text);
  if (!m) return null;
  const amount = /^\d/.test(m[1]!) ? Number(m[1]) : 1;
  const unit = UNIT_MS.find(([word]) => word.test(m[2]!.toLowerCase()))?.[1];
  if (unit === undefined) return null;
  const then = new Date(now.getTime() - amount * unit).toISOString();
  return unit >= DAY_MS ? then.slice(0, 10) : then;
}

interface Clock {
  hour: number;
  minute: number;
  second: number;
  zone: string;
}

const ZONES: Record<string, string> = {
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  BST: '+01:00',
  CET: '+01:00',
  CEST: '+02:00',
  IST: '+05:30',
};

function clockOf(m: RegExpExecArray, at: number): Clock | null {
  return timeOf(m[at], m[at + 1], m[at + 2], m[at + 4], m[at + 3]);
}

function timeOf(hour?: string, minute?: string, second?: string, zone?: string, half?: string): Clock | null {
  if (hour === undefined || minute === undefined) return null;
  let h = Number(hour);
  if (half) h = (h % 12) + (/^p/i.test(half) ? 12 : 0);
  if (h > 23 || Number(minute) > 59) return null;
  return { hour: h, minute: Number(minute), second: Math.min(59, Number(second ?? 0)), zone: offsetOf(zone) };
}

function offsetOf(zone: string | undefined): string {
  if (!zone || /^(?:Z|UTC|GMT|[+-]00:?0*)$/i.test(zone)) return 'Z';
  const named = ZONES[zone.toUpperCase()];
  if (named) return named;
  const digits = zone.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`;
}

const two = (n: number | string): string => String(n).padStart(2, '0');

/** Null for a day no calendar has. A midnight in UTC is how systems write "no time": it stays a date. */
function compose(year: string, month: string | number, day: string, clock: Clock | null): string | null {
  const date = `${year}-${two(month)}-${two(day)}`;
  const time = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(time.getTime()) || time.getUTCDate() !== Number(day)) return null;
  if (!clock || (clock.hour === 0 && clock.minute === 0 && clock.second === 0 && clock.zone === 'Z')) return date;
  return `${date}T${two(clock.hour)}:${two(clock.minute)}:${two(clock.second)}${clock.zone}`;
}

const LANGUAGES =
  'en de fr es it pt nl sv da nb fi pl cs sk sl hr sr hu ro bg ru uk el tr id ms vi ar fa he hi lt lv et ca'.split(' ');

// Month names come from the platform, one language after the other and only until the word is found: all of them take a twentieth of a second,
// and what two languages share is the first one's.
const monthOf = namesOfMonths();

function namesOfMonths(): (word: string) => number | null {
  const names = new Map<string, number>([['sept', 9]]);
  let languages = 0;
  return (word) => {
    const name = fold(word);
    while (!names.has(name) && languages < LANGUAGES.length) addMonthNames(names, LANGUAGES[languages++]!);
    return names.get(name) ?? null;
  };
}

function addMonthNames(names: Map<string, number>, language: string): void {
  // With a day beside it the name takes the form it has in dates (января, not январь).
  const shapes: Intl.DateTimeFormatOptions[] = [
    { month: 'long' },
    { month: 'short' },
    { month: 'long', day: 'numeric' },
    { month: 'short', day: 'numeric' },
  ];
  for (const shape of shapes) {
    const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { ...shape, timeZone: 'UTC' });
    for (let month = 0; month < 12; month++) {
      for (const part of format.formatToParts(Date.UTC(2024, month, 15))) {
        const name = fold(part.value);
        if (part.type === 'month' && name.length > 2 && !/\d/.test(name) && !names.has(name))
          names.set(name, month + 1);
      }
    }
  }
}

const fold = (word: string): string => word.toLowerCase().replace(/\.$/, '');
