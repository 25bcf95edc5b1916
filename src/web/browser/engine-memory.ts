// Whether a site is asked by plain HTTP or with a browser. HTTP first; where only a browser got through, the browser goes first for a while,
// and now and then the cheap way is tried again, since a browser page costs a hundred times as much.

export type Engine = 'http' | 'browser';

export interface EngineMemory {
  /** What to try first. */
  choose(site: string): Engine;
  /** `browser` after plain HTTP had failed where a browser did not; `http` whenever that got through. */
  report(site: string, gotThrough: Engine): void;
}

export interface EngineMemoryOptions {
  /** A site that needs a browser is tried cheaper again after this long, or after so many pages. */
  retryMs?: number;
  retryPages?: number;
  now?: () => number;
}

const MAX_SITES = 10_000;

export function createEngineMemory(options: EngineMemoryOptions = {}): EngineMemory {
  const now = options.now ?? (() => performance.now());
  const retryMs = options.retryMs ?? 1_800_000;
  const retryPages = options.retryPages ?? 50;
  const sites = new Map<string, { since: number; pages: number }>();
  return {
    choose(site) {
      const known = sites.get(site);
      if (known === undefined) return 'http';
      known.pages += 1;
      return now() - known.since > retryMs || known.pages > retryPages ? 'http' : 'browser';
    },
    report(site, gotThrough) {
      sites.delete(site);
      if (gotThrough === 'http') return;
      if (sites.size >= MAX_SITES) sites.delete(sites.keys().next().value ?? '');
      sites.set(site, { since: now(), pages: 0 });
    },
  };
}
