// Where sources read pages: in threads, from the configuration. Sources that a program handed over as objects cannot be loaded by a thread; they run here.
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import type { Config } from '../../config.ts';
import { sourceFinder } from '../../source-modules/find.ts';
import type { SourceModules } from '../../source-modules/load.ts';
import { createReading, type Reading } from '../../worker/reading/reading.ts';
import { type RunSource, runHere } from '../../worker/run-source.ts';
import { modulesOf } from '../modules.ts';
import { webOptions } from '../web.ts';
import type { ThreadSetting } from './thread.ts';

/** `.ts` in a clone, `.js` in a package. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);
const LEAST_THREADS = 2;
const MOST_THREADS = 4;

export function openReading(config: Config, { sources, isHandedOver = false }: SourceModules): Reading {
  const own = new Set(sources.map(({ source }) => source.name));
  const more: ThreadSetting = {
    modules: own.size === 0 || isHandedOver ? null : modulesOf(config),
    sourceSettings: webOptions(config).sourceSettings ?? new Map(),
  };
  const cores = availableParallelism();
  const threads = createReading({
    script: THREAD,
    more,
    threads: config.readingThreads ?? (config.workerLean ? 1 : Math.min(MOST_THREADS, Math.max(LEAST_THREADS, cores))),
    limits: {
      slow: Math.max(1, Math.floor(cores / 2)),
      pageCpuMs: config.pageCpuSeconds * 1_000,
      taskCpuMs: config.pageCpuSeconds * 12_000,
      pageMs: config.pageCpuSeconds * 6_000,
    },
  });
  if (!isHandedOver) return threads;
  const here: RunSource = runHere(sourceFinder({ sources, problems: [] }));
  return { ...threads, run: (order) => (own.has(order.source) ? here : threads.run)(order) };
}
