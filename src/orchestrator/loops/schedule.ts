// The scheduler: claims due schedules, starts them, stores the outcome. Any number of instances may run, without a leader: a schedule is claimed by a row
// lock, a due time is decided once by the key of its fire, and a fire that is started twice (the first instance crashed before it could store that) finds
// its own run by the idempotency key.
import type { CompanyFilter } from '../../model/company/company.ts';
import { AppError, asAppError, fieldSentence } from '../../model/errors.ts';
import type { SiteCatalogue } from '../../model/source/site.ts';
import type { CleanupOptions } from '../../store/cleanup.ts';
import type { CompanyStore, PositionStore } from '../../store/companies/company-store.ts';
import type { TrimStore } from '../../store/maintenance.ts';
import { BY_HAND, type FireOutcome, type WaitingFire } from '../../store/schedules/fires.ts';
import type { SchedulerStore } from '../../store/schedules/schedule-store.ts';
import type { Schedule } from '../../store/schedules/schedules.ts';
import type { SubmissionStore } from '../../store/submissions/submission-store.ts';
import { noCompanies } from '../intake/companies.ts';
import type { Intake, IntakeContext } from '../intake/intake.ts';
import { type Loops, startLoops } from './run-loops.ts';

/** Schedules, and what the work they start needs. */
type ScheduledWorkStore = SchedulerStore &
  Pick<SubmissionStore, 'earlierAnswer'> &
  Pick<CompanyStore, 'activeCompanies'> &
  Pick<PositionStore, 'closeStale'> &
  Pick<TrimStore, 'cleanUp'>;

export interface SchedulerOptions {
  store: ScheduledWorkStore;
  intake: Intake;
  catalogue: SiteCatalogue;
  /** A position that no scrape has seen for so many days is closed. */
  staleDays: number;
  cleanup: CleanupOptions;
  log(level: 'debug' | 'info' | 'warn' | 'error', event: string, fields: object): void;
}

/** What was started: a run to wait for, or work that is already done. */
type Started = { runId: string; reason: null } | { runId: null; reason: string };

export interface Ticked {
  enqueued: string[];
  skipped: { scheduleId: string; siteName: string | null; reason: string }[];
}

export type Scheduler = ReturnType<typeof createScheduler>;

const DUE_BATCH = 10_000;
/** Fires started at the same time; the store combines them into few transactions. */
const START_BATCH = 500;

export function createScheduler(options: SchedulerOptions) {
  const { store, intake, log } = options;

  async function start(schedule: Schedule, trigger: 'schedule' | 'manual', context: IntakeContext): Promise<Started> {
    if (schedule.task === 'search') return search(schedule, trigger, context);
    if (schedule.task === 'companies.scrape') {
      const { incremental, webhook_url: webhookUrl, companies: named, q, scraper_type } = schedule.payload;
      const filter = { companies: named, q, scraper_type } as CompanyFilter;
      const companies = await store.activeCompanies(filter);
      if (companies.length === 0) throw noCompanies(filter);
      const accepted = await intake.scrapeCompanies(
        {
          companies,
          incremental: incremental === true,
          trigger,
          webhookUrl: typeof webhookUrl === 'string' ? webhookUrl : null,
          ...(schedule.maxRetries === null ? {} : { maxRetries: schedule.maxRetries }),
        },
        context,
      );
      return { runId: accepted.runId, reason: null };
    }
    if (schedule.task === 'positions.stale') {
      const closed = await repeat((limit) => store.closeStale({ days: options.staleDays, limit }));
      return { runId: null, reason: `${closed} stale positions closed` };
    }
    const removed = await repeat(async () => {
      const { sessions, fires, positions } = await store.cleanUp(options.cleanup);
      return sessions + fires + positions;
    });
    return { runId: null, reason: `${removed} old sessions, schedule entries and positions deleted` };
  }

  async function search(schedule: Schedule, trigger: 'schedule' | 'manual', context: IntakeContext): Promise<Started> {
    const { siteName, payload, minPauseSeconds, maxPauseSeconds, maxRetries } = schedule;
    const { priority = 5, webhook_url: webhookUrl, ...params } = payload;
    const checked = options.catalogue.check(siteName!, {
      ...params,
      ...(minPauseSeconds === null ? {} : { min_pause_seconds: minPauseSeconds }),
      ...(maxPauseSeconds === null ? {} : { max_pause_seconds: maxPauseSeconds }),
    });
    if (checked === null) throw new AppError('invalid_params', `There is no site "${siteName}".`);
    if ('errors' in checked)
      throw new AppError('invalid_params', checked.errors.map((one) => fieldSentence(one)).join('; '));
    const accepted = await intake.submitScrape(
      {
        sites: [{ name: siteName!, params: checked.params }],
        priority: Number(priority),
        trigger,
        webhookUrl: typeof webhookUrl === 'string' ? webhookUrl : null,
        options: { schedule: schedule.id, ...params, priority },
        ...(maxRetries === null ? {} : { maxRetries }),
      },
      context,
    );
    return { runId: accepted.runId, reason: null };
  }

  /** Null: the store was down; the fire waits and is tried again. */
  async function startFire({ schedule, instant }: WaitingFire): Promise<FireOutcome | null> {
    const outcome = { scheduleId: schedule.id, instant };
    const key = `${schedule.id} ${instant.toISOString()}`;
    try {
      // The hash does not depend on the payload: a payload that changed since the first try must not start a second run.
      const context = {
        requestId: null,
        ...ownerOf(schedule),
        idempotency: { scope: 'schedule', key, bodyHash: 'fire' },
      };
      const { runId, reason } = await start(schedule, 'schedule', context);
      return { ...outcome, state: runId === null ? 'done' : 'started', runId, reason };
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'unavailable') return null;
      return { ...outcome, ...refusalOf(error) };
    }
  }

  const refusalOf = (error: AppError) =>
    ({
      state: error.code === 'nothing_to_do' ? 'skipped' : 'failed',
      runId: null,
      reason: error.message,
    }) as const;

  async function startAll(fires: WaitingFire[]): Promise<FireOutcome[]> {
    const ended: FireOutcome[] = [];
    for (let at = 0; at < fires.length; at += START_BATCH) {
      const outcomes = (await Promise.all(fires.slice(at, at + START_BATCH).map(startFire))).filter(
        (one) => one !== null,
      );
      await store.endFires(outcomes);
      for (const { scheduleId, instant, state, runId, reason } of outcomes)
        log(state === 'failed' ? 'warn' : 'info', `schedule.${state}`, {
          schedule: scheduleId,
          instant: instant.toISOString(),
          ...(runId ? { run_id: runId } : {}),
          ...(reason ? { reason } : {}),
        });
      ended.push(...outcomes);
    }
    return ended;
  }

  return {
    /** Starts what is due, and what other instances left unfinished. */
    async tick(): Promise<Ticked> {
      await store.planSchedules();
      const claimed = await store.claimDue(DUE_BATCH);
      for (const { schedule, instant, reason } of claimed.skipped)
        log('info', 'schedule.skipped', { schedule: schedule.id, instant: instant.toISOString(), reason });
      const known = new Map(claimed.fires.map(({ schedule }) => [schedule.id, schedule]));
      const left = await store.takeOverFires(START_BATCH);
      for (const { schedule } of left) known.set(schedule.id, schedule);
      const ended = await startAll([...claimed.fires, ...left]);
      const refused = ended.filter((one) => one.state === 'skipped' || one.state === 'failed');
      return {
        enqueued: ended.flatMap((one) => one.runId ?? []),
        skipped: [
          ...claimed.skipped.map(({ schedule, reason }) => ({ schedule, reason })),
          ...refused.map((one) => ({ schedule: known.get(one.scheduleId)!, reason: one.reason! })),
        ].map(({ schedule, reason }) => ({ scheduleId: schedule.id, siteName: schedule.siteName, reason })),
      };
    },

    /** Runs a schedule now, paused or not. Its next time does not change. */
    async runNow(schedule: Schedule, asked: IntakeContext): Promise<Started & { isReplay: boolean }> {
      // Its runs belong to whom it belongs to, whoever starts them.
      const context = { ...asked, ...ownerOf(schedule) };
      const replay = async () => {
        const earlier = context.idempotency ? await store.earlierAnswer(context.idempotency) : null;
        return earlier && { runId: earlier.runId, reason: null, isReplay: true };
      };
      const known = await replay();
      if (known) return known;
      const claimed = await store.claimNow(schedule.id);
      if (claimed === null) throw new AppError('unknown_id', `There is no schedule ${schedule.id}.`);
      if ('busy' in claimed) {
        // Perhaps by the same request, which was repeated before it was answered.
        const first = await replay();
        if (first) return first;
        throw new AppError('still_running', `The schedule cannot run now: ${claimed.busy}.`);
      }
      const fire = { scheduleId: schedule.id, instant: claimed.instant };
      const { runId, reason } = await start(schedule, 'manual', context).catch(async (thrown) => {
        // If the store is down, the claim expires by itself.
        await store.endFires([{ ...fire, ...refusalOf(asAppError(thrown)) }]).catch(() => {});
        throw thrown;
      });
      const state = runId === null ? 'done' : 'started';
      await store.endFires([{ ...fire, state, runId, reason: reason ?? BY_HAND }]);
      log('info', `schedule.${state}`, { schedule: schedule.id, by: 'hand', ...(runId ? { run_id: runId } : {}) });
      return runId === null ? { runId, reason, isReplay: false } : { runId, reason: null, isReplay: false };
    },
  };
}

/** Whether a key of it has a limit, only the store knows here. */
const ownerOf = ({ owner }: Schedule) => ({ owner, isLimited: owner !== null });

const REPEAT_BATCH = 1_000;
const REPEATS_MAX = 10_000;

async function repeat(step: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (let n = 0; n < REPEATS_MAX; n++) {
    const count = await step(REPEAT_BATCH);
    total += count;
    if (count === 0) break;
  }
  return total;
}

export function startScheduler(options: SchedulerOptions & { name: string }): Pick<Loops, 'stop'> {
  const { store, name, log } = options;
  const scheduler = createScheduler(options);
  async function step(): Promise<void> {
    await store.beatScheduler(name);
    await scheduler.tick();
  }
  return startLoops(
    // If this fails, the others only need a little longer to see that this instance has stopped.
    [{ name: 'schedule', every: 1_000, step, atEnd: () => store.leaveScheduler(name) }],
    (_, error) => log('warn', 'scheduler.error', { error: String(error) }),
  );
}
