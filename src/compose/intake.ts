// How work is accepted, from the configuration: the same for the API and for schedules.
import type { Config } from '../config.ts';
import { ownLane } from '../model/source/own-lane.ts';
import { createCountAccepted } from '../observe/metrics/accepted.ts';
import { createIntake, type Intake } from '../orchestrator/intake/intake.ts';
import type { SchedulerOptions } from '../orchestrator/loops/schedule.ts';
import type { SourceRegistry } from '../source-modules/registry.ts';
import type { Store } from '../store/store.ts';
import type { Wire } from '../wire/port.ts';
import { hostOf } from './pace.ts';
import type { Role } from './process/role.ts';
import { siteCatalogue } from './sites.ts';

const CLEANUP_BATCH = 1_000;

export function configuredIntake(
  { config, metrics, trace }: Pick<Role, 'config' | 'metrics' | 'trace'>,
  registry: SourceRegistry,
  store: Store,
  wire: Wire,
): Intake {
  return createIntake({
    store,
    wire,
    maxRetries: config.maxRetryAttempts,
    taskTimeoutSeconds: config.taskTimeoutSeconds,
    laneOf: laneOf(config, registry),
    hostOf: hostOf(registry),
    kindOf: (source) => registry.get(source)?.kind ?? null,
    ...(registry.articleSourceOf && { articleSourceOf: registry.articleSourceOf }),
    quota: { openTasks: config.ownerMaxOpenTasks || null, tasksPerDay: config.ownerMaxTasksPerDay || null },
    onAccepted: createCountAccepted(metrics),
    trace: trace ?? null,
    cart: { source: config.cartSource, freshSeconds: config.cartFreshSeconds, keepSeconds: config.resultTtlSeconds },
  });
}

export function schedulerOptions(
  { config, log }: Role,
  registry: SourceRegistry,
  store: Store,
  intake: Intake,
): SchedulerOptions {
  return {
    store,
    intake,
    catalogue: siteCatalogue(registry),
    staleDays: config.positionStaleDays,
    cleanup: {
      sessionDays: config.sessionRetentionDays,
      positionDays: config.positionRetentionDays,
      batch: CLEANUP_BATCH,
    },
    log: (level, event, fields) => log[level](event, { ...fields }),
  };
}

/** The lane that configuration gives a source, else the source's own; of a source of one's own, the part of it that has the source. */
export function laneOf(config: Config, registry: SourceRegistry): (source: string) => string {
  const given = new Map((config.sourceLanes ?? []).map((entry) => entry.split('=') as [string, string]));
  return (source) => {
    const lane = given.get(source) ?? registry.get(source)?.lane ?? 'http';
    return registry.moduleOf(source) === null ? lane : ownLane(lane, source);
  };
}
