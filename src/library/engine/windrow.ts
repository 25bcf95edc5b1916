// createWindrow: the whole engine in this process, without HTTP unless asked for. What `windrow up` starts, for programs.
// What a reader would get wrong: it takes no signals of the process. The caller closes it, and a process that ends without that loses nothing that
// was accepted.
import type { Engine } from '../../compose/engine.ts';
import type { Parts } from '../../compose/process/lifetime.ts';
import type { Role } from '../../compose/process/role.ts';
import { AppError, asAppError } from '../../model/errors.ts';
import type { SourceModules } from '../../source-modules/load.ts';
import { invalidOptions } from '../options/option-errors.ts';
import { followRun } from './follow.ts';
import { runResults } from './read-results.ts';
import type { KindOf, RunKind, RunRequest } from './requests.ts';
import type { ItemOfRun, RunResults } from './results.ts';
import { type Run, toRun } from './run.ts';
import { type SubmitDeps, submitRequest } from './submit.ts';
import { type WindrowOptions, windrowConfig } from './windrow-options.ts';

/** A run, or its id. */
type RunRef<K extends RunKind> = Run<K> | string;

/** The engine: takes work in, keeps it, scrapes, keeps what comes back. */
export interface Windrow {
  /** Where the API listens; null without one. */
  readonly url: string | null;
  /** Accepts work. When it resolves, the run is kept and will end, whatever happens to this process. */
  submit<R extends RunRequest>(request: R): Promise<Run<KindOf<R>>>;
  /** A run as it is now. */
  run<K extends RunKind = RunKind>(run: RunRef<K>): Promise<Run<K>>;
  /** The states of a run until it has ended, the current one first. */
  follow<K extends RunKind = RunKind>(
    run: RunRef<K>,
    options?: { signal?: AbortSignal | undefined },
  ): AsyncIterable<Run<K>>;
  /** The results of a run so far. */
  results<K extends RunKind = RunKind>(run: RunRef<K>): RunResults<ItemOfRun[K]>;
  /** Cancels a run; its results so far are kept. */
  cancel<K extends RunKind = RunKind>(run: RunRef<K>): Promise<Run<K>>;
  /** Lets running tasks finish (setting `shutdownGraceSeconds`, 25) and stops everything; the rest goes on at the next start. Can be called twice. */
  close(): Promise<void>;
  /** Resolves when everything has stopped: with null after `close`, else with why it could not go on. */
  readonly closed: Promise<Error | null>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the engine. Rejects when an option is wrong, naming it, or when something cannot be started. */
export async function createWindrow(options: WindrowOptions = {}): Promise<Windrow> {
  const config = windrowConfig(options);
  // Loaded here and not at the top: who only scrapes needs no database driver.
  const [{ startEngine, announceApi }, { createParts }, { processMetrics }, { processName }, { createLog }] =
    await Promise.all([
      import('../../compose/engine.ts'),
      import('../../compose/process/lifetime.ts'),
      import('../../compose/process/metrics.ts'),
      import('../../compose/process/name.ts'),
      import('../../observe/log.ts'),
    ]);
  const { onLog } = options;
  const log = createLog({
    level: config.logLevel,
    ...(onLog ? { to: { write: (line: string) => onLog(JSON.parse(line) as Record<string, unknown>) } } : {}),
  });
  const parts = createParts(log);
  const modules = await ownSources(options);
  const role: Role = {
    config,
    log,
    life: parts.life,
    modules,
    metrics: processMetrics({ isWithProcess: false }),
    name: processName('embedded'),
  };
  try {
    const engine = await startEngine(role, { sandbox: options.sandbox ?? false, worker: options.worker ?? true });
    const url = options.api ? await startApi({ ...role, config: engine.config }, engine) : null;
    if (url !== null) await announceApi(config, url);
    return await windrowOver({ ...role, config: engine.config }, engine, parts, url);
  } catch (error) {
    await parts.stop();
    throw parts.lost ? asAppError(parts.lost.error) : error;
  }
}

/** Throws with everything that is wrong with them. */
async function ownSources({ sources = [] }: WindrowOptions): Promise<SourceModules> {
  const { takeSources } = await import('../../source-modules/load.ts');
  const modules = await takeSources('createWindrow', sources);
  if (modules.problems.length === 0) return modules;
  throw invalidOptions(
    'createWindrow',
    modules.problems.map(({ reason }) => ({ pointer: '/sources', detail: `cannot be used: ${reason}` })),
  );
}

async function startApi(role: Role, { store, wire, pace }: Engine): Promise<string> {
  const { runApi } = await import('../../compose/api.ts');
  return runApi(role, store, wire, { pace });
}

async function windrowOver(role: Role, { store, wire }: Engine, parts: Parts, url: string | null): Promise<Windrow> {
  const [{ configuredIntake }, { careerCatalogue }, { createRegistry }] = await Promise.all([
    import('../../compose/intake.ts'),
    import('../../compose/careers.ts'),
    import('../../source-modules/registry.ts'),
  ]);
  const registry = createRegistry(role.modules);
  const { config, life } = role;
  const intake = configuredIntake(role, registry, store, wire);
  const deps: SubmitDeps = {
    intake,
    careers: careerCatalogue(role, registry),
    registry,
    cartSource: config.cartSource,
    signal: life.signal,
  };
  const ended = Promise.withResolvers<Error | null>();
  const onEnd = async (): Promise<void> => {
    await parts.stop();
    ended.resolve(parts.lost ? asAppError(parts.lost.error) : null);
  };
  life.signal.addEventListener('abort', () => void onEnd(), { once: true });
  const close = async (): Promise<void> => {
    life.finish();
    await ended.promise;
  };

  const gone = (): AppError =>
    new AppError(
      'unavailable',
      parts.lost ? `Windrow has stopped: ${asAppError(parts.lost.error).message}` : 'Windrow was closed.',
    );
  const checkOpen = (): void => {
    if (life.signal.aborted) throw gone();
  };
  const idOf = (run: RunRef<RunKind>): string => (typeof run === 'string' ? run : run.id);
  const read = async <K extends RunKind>(run: RunRef<K>): Promise<Run<K>> => {
    checkOpen();
    const found = await store.getRun(idOf(run));
    if (found === null) throw new AppError('unknown_id', `There is no run "${idOf(run)}".`);
    return toRun(found) as Run<K>;
  };

  return {
    url,
    async submit(request) {
      checkOpen();
      return read(await submitRequest(request, deps));
    },
    run: read,
    async *follow<K extends RunKind>(run: RunRef<K>, { signal }: { signal?: AbortSignal | undefined } = {}) {
      checkOpen();
      const closing = new AbortController();
      const onClose = () => closing.abort(gone());
      life.signal.addEventListener('abort', onClose, { once: true });
      const either = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
      try {
        const states = followRun({ id: idOf(run), read: () => read(run), wire, signal: either });
        yield* states as AsyncIterable<Run<K>>;
      } finally {
        life.signal.removeEventListener('abort', onClose);
      }
    },
    results(run) {
      checkOpen();
      return runResults(idOf(run), async () => (await read(run)).kind, { store, cartSeconds: config.resultTtlSeconds });
    },
    async cancel<K extends RunKind>(run: RunRef<K>) {
      checkOpen();
      await intake.cancelRun(idOf(run));
      return read(run);
    },
    close,
    closed: ended.promise,
    [Symbol.asyncDispose]: close,
  };
}
