// What `windrow.config.ts` exports. Settings stay in the environment; this file is for what only code can say.
import type { Source } from './define.ts';

export interface WindrowConfig {
  /** Sources of your own, beside those that are built in. */
  sources?: readonly Source[];
}

export function defineConfig(config: WindrowConfig): WindrowConfig {
  return config;
}
