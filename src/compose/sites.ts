// The catalogue of sources that the API offers, from the sources themselves.
import { z } from 'zod';
import type { SiteCatalogue, SourceAbout } from '../model/source/site.ts';
import { issueErrors } from '../model/zod-messages.ts';
import type { SourceRegistry } from '../source-modules/registry.ts';
import type { Source } from '../sources/define.ts';

export function siteCatalogue(registry: SourceRegistry): SiteCatalogue {
  const sites = registry.all
    .filter((source) => source.kind === 'posting')
    .map(({ name, title, kind, params, countries }) => ({
      name,
      title,
      kind,
      params: paramsSchema(params),
      ...(countries === undefined ? {} : { countries }),
    }));
  return {
    all: () => sites,
    check(name, params) {
      const source = registry.get(name);
      if (source?.kind !== 'posting') return null;
      const checked = source.params.safeParse(params);
      if (checked.success) return { params: checked.data as Record<string, unknown> };
      return { errors: issueErrors(checked.error.issues) };
    },
  };
}

const paramsSchema = (params: Source['params']): Record<string, unknown> =>
  z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;

/** Every source, in the lane that configuration gives it. */
export function aboutSources(registry: SourceRegistry, laneOf: (source: string) => string): SourceAbout[] {
  return registry.all.map(({ name, title, kind, hosts, params }) => ({
    name,
    title,
    kind,
    hosts,
    lane: laneOf(name),
    module: registry.moduleOf(name),
    params: paramsSchema(params),
    check(given) {
      const checked = params.safeParse(given);
      return checked.success ? [] : issueErrors(checked.error.issues);
    },
  }));
}
