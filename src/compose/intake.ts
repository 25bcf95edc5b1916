// How work is accepted, from the configuration: the same for the API and for schedules.
import type { Config } from '../config.ts';
import { createIntake, type Intake } from '../orchestrator/intake/intake.ts';
import type { SchedulerOptions } from '../orchestrator/loops/schedule.ts';
import { SOURCES } from '../sources/index.ts';
import type { Store } from '../store/store.ts';
import type { Wire } from '../wire/port.ts';
import type { Role } from './process/role.ts';
import { siteCatalogue } from './sites.ts';

const CLEANUP_BATCH = 1_000;

export function configuredIntake(config: Config, store: Store, wire: Wire): Intake {
  return createIntake({
    store,
    wire,
    maxRetries: config.maxRetryAttempts,
    taskTimeoutSeconds: config.taskTimeoutSeconds,
    laneOf: laneOf(config),
    cart: { source: config.cartSource, freshSeconds: config.cartFreshSeconds, keepSeconds: config.resultTtlSeconds },
  });
}

export function schedulerOptions({ config, log }: Role, store: Store, intake: Intake): SchedulerOptions {
  return {
    store,
    intake,
    catalogue: siteCatalogue(),
    staleDays: config.positionStaleDays,
    cleanup: {
      sessionDays: config.sessionRetentionDays,
      positionDays: config.positionRetentionDays,
      batch: CLEANUP_BATCH,
    },
    log: (level, event, fields) => log[level](event, { ...fields }),
  };
}

/** The lane that configuration gives a source, else the source's own. */
export function laneOf(config: Config): (source: string) => string {
  const given = new Map((config.sourceLanes ?? []).map((entry) => entry.split('=') as [string, string]));
  return (source) => given.get(source) ?? SOURCES.get(source)?.lane ?? 'http';
}
