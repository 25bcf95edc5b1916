// Interfaces of the store for schedules.
import type { Pool } from 'pg';
import type { ScheduleTask } from '../../model/schedule/schedule.ts';
import { bindAll } from '../postgres/bind.ts';
import type { IdempotencyKey } from '../submissions/idempotency.ts';
import {
  type Claimed,
  claimDue,
  claimNow,
  endFires,
  type Fire,
  type FireOutcome,
  listFires,
  takeOverFires,
  type WaitingFire,
} from './fires.ts';
import { beatScheduler, leaveScheduler, type SchedulerStatus, schedulerStatus } from './scheduler-status.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  planSchedules,
  type Schedule,
  type ScheduleInput,
  saveSchedule,
} from './schedules.ts';

/** Schedules. */
export interface ScheduleStore {
  /** Null when there is none. */
  getSchedule(id: string): Promise<Schedule | null>;
  /** By id. `after`: the id of the last one of the page before. */
  listSchedules(options: {
    after: string | null;
    limit: number;
    task?: ScheduleTask | null;
    owner?: string | null;
  }): Promise<{ schedules: Schedule[]; total: number }>;
  /** A new one, or the one of this id changed. */
  saveSchedule(input: ScheduleInput, id?: string): Promise<Schedule>;
  /** A new one; or, where this request made one before, that one. Null: it was removed since. */
  createSchedule(
    input: ScheduleInput,
    claim: IdempotencyKey | null,
    owner?: string | null,
  ): Promise<{ schedule: Schedule | null; isReplay: boolean }>;
  /** False when there was none. */
  deleteSchedule(id: string): Promise<boolean>;
  /** The last ones of a schedule, newest first. */
  listFires(scheduleId: string, limit: number): Promise<Fire[]>;
  /** Which schedulers are there, and what is planned. */
  schedulerStatus(owner: string | null): Promise<SchedulerStatus>;
}

/** What schedulers do. Any number may run: what one has claimed, the others leave alone. */
export interface SchedulerStore {
  /** Gives those that have none their next instant. */
  planSchedules(): Promise<number>;
  /** Claims due schedules by the clock of the database, all in one batch. Schedules that another scheduler has locked are skipped. */
  claimDue(limit: number): Promise<Claimed>;
  /** Fires whose holder has not started them in time. Those that were asked for by hand end here: it may have started them all the same. */
  takeOverFires(limit: number): Promise<WaitingFire[]>;
  /** Writes what became of fires. Those that were started are their schedule's last run from now on. */
  endFires(outcomes: FireOutcome[]): Promise<void>;
  /** A fire that no schedule planned, at the database's time; or what is in the way of it. Null: the schedule is gone. */
  claimNow(scheduleId: string): Promise<{ instant: Date } | { busy: string } | null>;
  /** Heartbeat of this scheduler. */
  beatScheduler(name: string): Promise<void>;
  /** Removes this scheduler from the list. */
  leaveScheduler(name: string): Promise<void>;
}

export const scheduleStore = (pool: Pool): ScheduleStore & SchedulerStore =>
  bindAll(pool, {
    getSchedule,
    listSchedules,
    saveSchedule,
    createSchedule,
    deleteSchedule,
    listFires,
    schedulerStatus,
    planSchedules,
    claimDue,
    takeOverFires,
    endFires,
    claimNow,
    beatScheduler,
    leaveScheduler,
  });
