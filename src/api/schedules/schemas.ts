// Schedules in the API: schemas, examples, views, and how a request becomes a schedule.
import { z } from 'zod';
import type { FieldError } from '../../model/errors.ts';
import { CATCH_UPS, OVERLAPS, SCHEDULE_TASKS, type Timing, timingProblem } from '../../model/schedule/schedule.ts';
import type { SiteCatalogue } from '../../model/source/site.ts';
import { issueErrors } from '../../model/zod-messages.ts';
import type { Fire } from '../../store/schedules/fires.ts';
import type { Schedule, ScheduleInput } from '../../store/schedules/schedules.ts';
import { FILTER_FIELDS } from '../companies/schemas.ts';
import { pauseErrors, siteName as siteNameIn, unknownParams, unknownSite } from '../searches/site-params.ts';
import { nameSchemas } from '../validation/named.ts';
import { invalid } from '../validation/validators.ts';

/** The limit of the sites: a longer value would be stored, and refused at every run. */
const Pause = z.number().min(0).max(300).nullable();
const fields = {
  site_name: z.string().min(1).max(60).nullable().meta({ description: 'A site to search with `payload`.' }),
  task: z.enum(SCHEDULE_TASKS).meta({ description: '`search` needs a site. The others are built-in tasks.' }),
  enabled: z.boolean(),
  interval_minutes: z.int().min(1).max(525_600).nullable().meta({ description: 'Minutes, with a jitter of ±10 %.' }),
  cron: z.string().max(100).nullable().meta({ description: 'Cron expression with five fields, in `timezone`.' }),
  timezone: z.string().max(60).meta({ description: 'Only for `cron`.' }),
  payload: z.looseObject({}).meta({
    description:
      'Search parameters. For companies `incremental`, and which ones: `{"companies":["Acme"]}` (ids or names), `q` (part of the name), `scraper_type`. Also `webhook_url`.',
  }),
  min_pause_seconds: Pause,
  max_pause_seconds: Pause,
  max_retries: z.int().min(0).max(20).nullable(),
  catch_up: z
    .enum(CATCH_UPS)
    .meta({ description: 'After an outage: `once` runs once for all missed times, `skip` does not run.' }),
  overlap: z.enum(OVERLAPS).meta({
    description: 'If it is due before its previous run has ended: `skip` this time, or `queue` it after that run.',
  }),
};

/** For create and update: what is left out gets its default, or stays. */
export const ScheduleBody = z.strictObject(fields).partial();

export const ScheduleView = z.object({
  id: z.string(),
  ...fields,
  payload: z.looseObject({}),
  last_run_at: z.string().nullable(),
  last_run_id: z.string().nullable(),
  next_run_at: z.string().nullable(),
  waiting_for: z.string().nullable().meta({ description: 'The run it waits for.' }),
});

const FireView = z.object({
  instant: z.string(),
  state: z.enum(['waiting', 'started', 'done', 'skipped', 'failed']),
  reason: z.string().nullable(),
  run_id: z.string().nullable(),
});
nameSchemas({ Schedule: ScheduleView, Fire: FireView });

export const ScheduleWithFires = ScheduleView.extend({
  fires: z
    .array(FireView)
    .meta({ description: 'The latest times it was due, newest first, with the reason if it did not run.' }),
});

export const ScheduleList = z.object({
  schedules: z.array(ScheduleView),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});

export const SCHEDULE_BODY_EXAMPLE = {
  site_name: 'indeed',
  interval_minutes: 60,
  payload: { search_term: 'python developer', results_wanted: 50 },
};

export const SCHEDULE_EXAMPLE = {
  id: 'sch_a1b2c3d4e5f60718',
  site_name: 'indeed',
  task: 'search',
  enabled: true,
  interval_minutes: 60,
  cron: null,
  timezone: 'UTC',
  payload: { search_term: 'python developer', results_wanted: 50 },
  min_pause_seconds: null,
  max_pause_seconds: null,
  max_retries: null,
  catch_up: 'once',
  overlap: 'skip',
  last_run_at: '2026-02-04T10:03:00.000Z',
  last_run_id: 'sched_a1b2c3d4e5f60718',
  next_run_at: '2026-02-04T11:01:40.000Z',
  waiting_for: null,
};

export const FIRES_EXAMPLE = [
  { instant: '2026-02-04T10:03:00.000Z', state: 'started', reason: null, run_id: 'sched_a1b2c3d4e5f60718' },
  {
    instant: '2026-02-04T09:02:11.000Z',
    state: 'skipped',
    reason: 'run sched_0718a1b2c3d4e5f6 has not ended yet',
    run_id: null,
  },
];

export const scheduleView = (schedule: Schedule) => ({
  id: schedule.id,
  site_name: schedule.siteName,
  task: schedule.task,
  enabled: schedule.enabled,
  interval_minutes: 'cron' in schedule.timing ? null : schedule.timing.intervalMinutes,
  cron: 'cron' in schedule.timing ? schedule.timing.cron : null,
  timezone: 'cron' in schedule.timing ? schedule.timing.timezone : 'UTC',
  payload: schedule.payload,
  min_pause_seconds: schedule.minPauseSeconds,
  max_pause_seconds: schedule.maxPauseSeconds,
  max_retries: schedule.maxRetries,
  catch_up: schedule.catchUp,
  overlap: schedule.overlap,
  last_run_at: schedule.lastRunAt?.toISOString() ?? null,
  last_run_id: schedule.lastRunId,
  next_run_at: schedule.enabled ? (schedule.nextRunAt?.toISOString() ?? null) : null,
  waiting_for: schedule.waitingFor,
});

export const fireView = ({ instant, state, reason, run_id }: Fire) => ({
  instant: instant.toISOString(),
  state,
  reason,
  run_id,
});

/** The schedule of a body; 422 when it is not valid. `before` is the schedule to change. */
export function scheduleInput(
  body: z.output<typeof ScheduleBody>,
  before: Schedule | null,
  catalogue: SiteCatalogue,
): ScheduleInput {
  const errors: FieldError[] = [];
  const old = before ? scheduleView(before) : null;
  const siteName =
    body.site_name === undefined
      ? body.task && body.task !== 'search'
        ? null
        : (old?.site_name ?? null)
      : body.site_name && siteNameIn(catalogue, body.site_name);
  const task = body.task ?? (siteName === null ? (old?.task ?? 'search') : 'search');
  if (task === 'search' && siteName === null)
    errors.push({ pointer: '/site_name', detail: 'is required for the task search' });
  if (task !== 'search' && siteName !== null)
    errors.push({ pointer: '/site_name', detail: `is not allowed with the task ${task}` });
  const input: ScheduleInput = {
    task,
    siteName,
    enabled: body.enabled ?? old?.enabled ?? true,
    timing: timingOf(body, before, errors),
    payload: body.payload ?? old?.payload ?? {},
    minPauseSeconds: body.min_pause_seconds === undefined ? (old?.min_pause_seconds ?? null) : body.min_pause_seconds,
    maxPauseSeconds: body.max_pause_seconds === undefined ? (old?.max_pause_seconds ?? null) : body.max_pause_seconds,
    maxRetries: body.max_retries === undefined ? (old?.max_retries ?? null) : body.max_retries,
    catchUp: body.catch_up ?? before?.catchUp ?? 'once',
    overlap: body.overlap ?? before?.overlap ?? 'skip',
  };
  errors.push(...pauseErrors(input.minPauseSeconds, input.maxPauseSeconds));
  if (task !== 'search') errors.push(...taskErrors(task, input.payload));
  else if (siteName !== null) errors.push(...searchErrors(siteName, input.payload, catalogue));
  if (errors.length > 0) throw invalid(errors, 'body');
  return input;
}

function timingOf(body: z.output<typeof ScheduleBody>, before: Schedule | null, errors: FieldError[]): Timing {
  const { interval_minutes: minutes, cron, timezone } = body;
  const old = before?.timing ?? null;
  if (minutes != null && cron != null)
    errors.push({ pointer: '/cron', detail: 'is not allowed together with interval_minutes' });
  const interval = minutes ?? (cron == null && old && !('cron' in old) ? old.intervalMinutes : null);
  if (interval !== null) {
    if (timezone !== undefined && timezone !== 'UTC')
      errors.push({ pointer: '/timezone', detail: 'is only allowed with cron' });
    return { intervalMinutes: interval };
  }
  const text = cron === undefined && old && 'cron' in old ? old.cron : (cron ?? null);
  if (text !== null) {
    const timing = { cron: text, timezone: timezone ?? (old && 'cron' in old ? old.timezone : 'UTC') };
    const problem = timingProblem(timing);
    if (problem) errors.push({ pointer: problem.includes('time zone') ? '/timezone' : '/cron', detail: problem });
    return timing;
  }
  errors.push({ pointer: '/interval_minutes', detail: 'is required, or cron' });
  return { intervalMinutes: 60 };
}

/** Priority belongs to the run; the site checks everything else. */
function searchErrors(
  siteName: string,
  { priority, webhook_url, ...params }: Record<string, unknown>,
  catalogue: SiteCatalogue,
): FieldError[] {
  const errors: FieldError[] = [];
  if (priority !== undefined && !(Number.isInteger(priority) && Number(priority) >= 1 && Number(priority) <= 10))
    errors.push({ pointer: '/payload/priority', detail: 'has to be a whole number from 1 to 10' });
  errors.push(...receiverErrors(webhook_url));
  const checked = catalogue.check(siteName, params);
  if (checked === null) return [...errors, unknownSite(catalogue, siteName)];
  const wrong = [...unknownParams(catalogue, [siteName], params), ...('errors' in checked ? checked.errors : [])];
  return [...errors, ...wrong.map(({ pointer, detail }) => ({ pointer: `/payload${pointer}`, detail }))];
}

const receiverErrors = (url: unknown): FieldError[] =>
  url === undefined || typeof url === 'string'
    ? []
    : [{ pointer: '/payload/webhook_url', detail: 'has to be a string' }];

const CompaniesPayload = z.strictObject({ incremental: z.boolean().optional(), ...FILTER_FIELDS });
const PAYLOADS: Partial<Record<ScheduleInput['task'], z.ZodObject>> = { 'companies.scrape': CompaniesPayload };

/** Built-in tasks have few parameters; unknown ones are an error and not ignored. */
function taskErrors(task: ScheduleInput['task'], { webhook_url, ...payload }: Record<string, unknown>): FieldError[] {
  const schema = PAYLOADS[task] ?? z.strictObject({});
  const checked = schema.safeParse(payload);
  const names = Object.keys(schema.shape);
  const known = names.length === 0 ? `${task} has no parameters` : `Parameters of ${task}: ${names.join(', ')}`;
  const errors = checked.success ? [] : issueErrors(checked.error.issues);
  return [
    ...receiverErrors(webhook_url),
    ...errors.map(({ pointer, detail }) => ({
      pointer: `/payload${pointer}`,
      detail: names.includes(pointer.split('/')[1] ?? '') ? detail : `is not a known field. ${known}`,
    })),
  ];
}
