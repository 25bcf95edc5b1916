// What a part of the engine is given when it is started.
import type { Config } from '../../config.ts';
import type { Tracing } from '../../model/trace/trace.ts';
import type { Log } from '../../observe/log.ts';
import type { MetricRegistry } from '../../observe/metrics/registry.ts';
import type { SourceModules } from '../../source-modules/load.ts';
import type { Lifetime } from './lifetime.ts';

export interface Role {
  config: Config;
  log: Log;
  life: Lifetime;
  /** Sources of one's own. */
  modules: SourceModules;
  /** Where all parts of this process count. */
  metrics: MetricRegistry;
  /** Null or left out: no traces. */
  trace?: Tracing | null;
  /** Waits for servers that are not there yet, as a service does; a program that was called says so instead. */
  isPatient?: boolean;
  /** Names this process in logs, heartbeats and streams. */
  name: string;
}
