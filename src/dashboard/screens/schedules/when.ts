// When a schedule fires, in words and as times. Pure but for croner.
import { Cron } from 'croner';
import { plural } from '../../parts/text/words.ts';

export interface Timing {
  interval_minutes: number | null;
  cron: string | null;
  timezone: string;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const two = (text: string): string => text.padStart(2, '0');
const isNumber = (text: string): boolean => /^\d+$/.test(text);

/** The usual patterns in words; the expression itself for all others. */
export function cronWords(cron: string): string {
  const [minute, hour, day, month, weekday, ...more] = cron.trim().split(/\s+/);
  if (!minute || !hour || !day || !month || !weekday || more.length > 0 || month !== '*') return cron;
  const every = /^\*\/(\d+)$/.exec(minute)?.[1];
  const isAnyDay = day === '*' && weekday === '*';
  if (isAnyDay && hour === '*' && every) return `every ${plural(Number(every), 'minute')}`;
  if (isAnyDay && hour === '*' && isNumber(minute)) return `every hour, at ${two(minute)} past`;
  if (!isNumber(minute)) return cron;
  const hours = /^\*\/(\d+)$/.exec(hour)?.[1];
  if (isAnyDay && hours) return `every ${plural(Number(hours), 'hour')}, at ${two(minute)} past`;
  if (!isNumber(hour)) return cron;
  const at = `at ${two(hour)}:${two(minute)}`;
  if (isAnyDay) return `every day ${at}`;
  if (day === '*' && weekday === '1-5') return `Monday to Friday ${at}`;
  if (day === '*' && isNumber(weekday) && DAYS[Number(weekday)]) return `every ${DAYS[Number(weekday)]} ${at}`;
  if (weekday === '*' && isNumber(day)) return `on day ${day} of every month ${at}`;
  return cron;
}

export function timingWords({ interval_minutes, cron, timezone }: Timing): string {
  if (cron) return `${cronWords(cron)} (${timezone})`;
  if (!interval_minutes) return '–';
  if (interval_minutes % 1_440 === 0)
    return interval_minutes === 1_440 ? 'every day' : `every ${plural(interval_minutes / 1_440, 'day')}`;
  if (interval_minutes % 60 === 0)
    return interval_minutes === 60 ? 'every hour' : `every ${plural(interval_minutes / 60, 'hour')}`;
  return `every ${plural(interval_minutes, 'minute')}`;
}

export interface Preview {
  times: Date[];
  /** What is wrong with the expression. */
  problem: string | null;
}

/** The next times of a cron expression. */
export function nextTimes(cron: string, timezone: string, count: number, from: Date): Preview {
  try {
    return { times: new Cron(cron, { timezone, paused: true }).nextRuns(count, from), problem: null };
  } catch (error) {
    return { times: [], problem: (error as Error).message };
  }
}

const MANY = 300;

/** The moments within `hours` at which a schedule fires, by its next one. Of very frequent ones the first. */
export function firesWithin(timing: Timing & { next_run_at: string | null }, hours: number, now: Date): Date[] {
  if (timing.next_run_at === null) return [];
  const end = now.getTime() + hours * 3_600_000;
  const first = Math.max(Date.parse(timing.next_run_at), now.getTime());
  if (timing.cron) {
    const { times } = nextTimes(timing.cron, timing.timezone, MANY, new Date(first - 1_000));
    return times.filter((time) => time.getTime() <= end);
  }
  const stepMs = (timing.interval_minutes ?? 0) * 60_000;
  if (stepMs <= 0) return [];
  const fires: Date[] = [];
  for (let at = first; at <= end && fires.length < MANY; at += stepMs) fires.push(new Date(at));
  return fires;
}
