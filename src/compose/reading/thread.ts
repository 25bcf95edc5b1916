// The thread in which sources read pages: loads them by name, those of one's own included.
import { flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';
import { DETECTION } from '../../model/company/company.ts';
import { sourceFinder } from '../../source-modules/find.ts';
import { type LoadOptions, loadSourceModules, NO_MODULES } from '../../source-modules/load.ts';
import type { Source } from '../../sources/define.ts';
import { answerReading, type ThreadData } from '../../worker/reading/inside.ts';

export interface ThreadSetting {
  /** Null where there are no sources of one's own. */
  modules: LoadOptions | null;
  /** SOURCE_SETTINGS. */
  sourceSettings: ReadonlyMap<string, string>;
}

const { modules, sourceSettings } = (workerData as ThreadData).more as ThreadSetting;
const loaded = modules === null ? NO_MODULES : await loadSourceModules(modules);
const find = sourceFinder(loaded);

async function detection(): Promise<Source> {
  const [{ detectionSource }, { createRegistry }] = await Promise.all([
    import('./detection.ts'),
    import('../../source-modules/registry.ts'),
  ]);
  return detectionSource(createRegistry(loaded).careers);
}

const known = new Map<string, Source>();

async function load(name: string): Promise<Source | undefined> {
  const source = await (name === DETECTION ? detection() : find(name));
  if (source) known.set(name, source);
  // For the next thread, where a cache is kept (lean.ts).
  flushCompileCache();
  return source;
}

answerReading({
  sourceOf: (name) => known.get(name) ?? load(name),
  settingOf: (source, name) => sourceSettings.get(`${source}.${name}`) ?? null,
});
