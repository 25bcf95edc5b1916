// The next 24 hours: one line a schedule, a mark for each time it fires.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { now } from '../../live/clock.ts';
import { openHref } from '../../parts/drawer.tsx';
import { shorten } from '../../parts/text/words.ts';
import { aboutSchedule, type Schedule } from './screen.tsx';
import { firesWithin } from './when.ts';

const HOURS = 24;
const LINES_MAX = 12;
const HOUR_MS = 3_600_000;

export function Calendar({ schedules }: { schedules: readonly Schedule[] }) {
  // Once a minute is enough: the marks move by less than a pixel.
  const minute = useSignal(Math.floor(now.value / 60_000));
  useEffect(() => now.subscribe((ms) => (minute.value = Math.floor(ms / 60_000))), [minute]);
  const from = minute.value * 60_000;
  const lines = schedules
    .filter(({ enabled, next_run_at }) => enabled && next_run_at !== null)
    .map((schedule) => ({ schedule, fires: firesWithin(schedule, HOURS, new Date(from)) }))
    .filter(({ fires }) => fires.length > 0)
    .toSorted((a, b) => a.fires[0]!.getTime() - b.fires[0]!.getTime());
  if (lines.length === 0) return null;
  const firstHour = Math.ceil(from / (HOUR_MS * 6)) * HOUR_MS * 6;
  const hours = Array.from({ length: 4 }, (_, at) => firstHour + at * HOUR_MS * 6).filter(
    (at) => at - from < HOURS * HOUR_MS,
  );
  const place = (ms: number): string => `${((ms - from) / (HOURS * HOUR_MS)) * 100}%`;
  const clock = (at: number | Date): string =>
    new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (
    <section class="panel calendar" aria-label="The next 24 hours">
      <h2>The next 24 hours</h2>
      <div class="calendar-line calendar-hours" aria-hidden="true">
        <span />
        <span class="calendar-track">
          {hours.map((at) => (
            <span key={at} class="calendar-hour" style={{ left: place(at) }}>
              {clock(at)}
            </span>
          ))}
        </span>
      </div>
      <ul>
        {lines.slice(0, LINES_MAX).map(({ schedule, fires }) => (
          <li key={schedule.id} class="calendar-line">
            <a class="cut" href={openHref(schedule.id)}>
              {shorten(aboutSchedule(schedule), 60)}
            </a>
            <span class="calendar-track" role="img" aria-label={`${fires.length} times, first at ${clock(fires[0]!)}`}>
              {fires.map((fire) => (
                <span
                  key={fire.getTime()}
                  class="calendar-mark"
                  title={clock(fire)}
                  style={{ left: place(fire.getTime()) }}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
      {lines.length > LINES_MAX && <p class="quiet small">and {lines.length - LINES_MAX} more below</p>}
    </section>
  );
}
