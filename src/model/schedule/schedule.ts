// When a schedule fires. Pure: every instance of the scheduler computes the same instants from the same row, whatever its own clock says, and the
// database's unique key on (schedule, instant) then lets only one of them through.
//
// Rules a reader would get wrong. Intervals stand on a grid from the anchor, each instant moved by up to a tenth of the interval either way, by a hash:
// they neither drift with late starts nor bunch up. Cron times are local to the zone: one that falls into the hour skipped in spring fires at the
// end of the gap, one in the hour that comes twice in autumn fires the first time only; times given by the hour (`0 * * * *`) fire every real hour.
import { hash } from 'node:crypto';
import { Cron } from 'croner';

export type Timing = { intervalMinutes: number } | { cron: string; timezone: string };

export const CATCH_UPS = ['once', 'skip'] as const;
/** After the scheduler was down: `once` makes one run however many were missed; `skip` waits for the next instant. */
export type CatchUp = (typeof CATCH_UPS)[number];

export const OVERLAPS = ['skip', 'queue'] as const;
/** Due while its last run is under way: `skip` leaves this instant out; `queue` runs once when that run is over, however many came due meanwhile. */
export type Overlap = (typeof OVERLAPS)[number];

export const SCHEDULE_TASKS = ['search', 'companies.scrape', 'positions.stale', 'cleanup'] as const;
/** `search` goes with a site; the others are work of our own. */
export type ScheduleTask = (typeof SCHEDULE_TASKS)[number];

export const JITTER_SHARE = 0.1;
const MINUTE_MS = 60_000;
/** Later than this is missed, not merely late. */
const LATE_MS = 60_000;

/** What is wrong with it, or null. */
export function timingProblem(timing: Timing): string | null {
  if ('intervalMinutes' in timing) return null;
  const { cron, timezone } = timing;
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    return `has an unknown time zone "${timezone}". Use a name such as Europe/Berlin`;
  }
  if (cron.trim().split(/\s+/).length !== 5) return 'needs five fields: minute, hour, day of month, month, day of week';
  try {
    return nextCron(cron, timezone, Date.now()) === null ? 'never matches a time' : null;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^\w+: /, '') : String(error);
  }
}

/** The first instant after `afterMs`; null when there is none. */
export function nextInstant(
  schedule: { id: string; timing: Timing; anchorMs: number },
  afterMs: number,
): number | null {
  const { id, timing, anchorMs } = schedule;
  if ('cron' in timing) return nextCron(timing.cron, timing.timezone, afterMs);
  const everyMs = timing.intervalMinutes * MINUTE_MS;
  const instant = (n: number): number => Math.round(anchorMs + n * everyMs + jitter(id, n) * JITTER_SHARE * everyMs);
  let n = Math.max(1, Math.floor((afterMs - anchorMs) / everyMs));
  while (instant(n) <= afterMs) n += 1;
  return instant(n);
}

function nextCron(cron: string, timezone: string, afterMs: number): number | null {
  return new Cron(cron, { timezone, paused: true }).nextRun(new Date(afterMs))?.getTime() ?? null;
}

/** From −1 to 1, always the same for the nth instant of a schedule. */
function jitter(id: string, n: number): number {
  return (Number.parseInt(hash('sha256', `${id} ${n}`, 'hex').slice(0, 8), 16) / 0xffff_ffff) * 2 - 1;
}

export interface DueFire {
  dueMs: number;
  /** When the run it waited for was over, if it waited: that is not being late. */
  freeMs: number | null;
  nowMs: number;
  catchUp: CatchUp;
  /** Why the last fire is not over yet; null when it is. */
  busy: string | null;
}

/** Why a due fire does not run; null when it does. */
export function whySkip({ dueMs, freeMs, nowMs, catchUp, busy }: DueFire): string | null {
  if (busy !== null) return busy;
  const lateMs = nowMs - Math.max(dueMs, freeMs ?? dueMs);
  if (catchUp === 'skip' && lateMs > LATE_MS) return `missed by ${Math.round(lateMs / 1_000)} s`;
  return null;
}
