// Sources of several modules put together: each name once, none that is built in, and every item they bring checked.
import type { ModuleProblem } from '../model/source/site.ts';
import { SOURCES } from '../sources/built-in.ts';
import { checkedSource } from '../sources/checked.ts';
import type { Source } from '../sources/define.ts';
import { collectSources } from './collect.ts';
import type { OwnSource, SourceModules } from './load.ts';

export interface Merge {
  /** What a module exports. */
  add(module: string, exported: Readonly<Record<string, unknown>>): void;
  refuse(module: string, reason: string): void;
  result(): SourceModules;
}

export function createMerge(): Merge {
  const sources: OwnSource[] = [];
  const problems: ModuleProblem[] = [];
  const known = new Set<Source>();
  const merge: Merge = {
    refuse: (module, reason) => void problems.push({ module, reason }),
    add(module, exported) {
      const collected = collectSources(exported);
      for (const problem of collected.problems) merge.refuse(module, problem);
      for (const source of collected.sources) {
        // One module may export what another imports.
        if (known.has(source)) continue;
        known.add(source);
        const { name } = source;
        const taken = sources.find((one) => one.source.name === name);
        if (SOURCES.has(name)) merge.refuse(module, `source "${name}": the name belongs to a built-in source`);
        else if (taken) merge.refuse(module, `source "${name}": the name is taken by the one of ${taken.module}`);
        else sources.push({ source: checkedSource(source), module });
      }
    },
    result: () => ({ sources, problems }),
  };
  return merge;
}
