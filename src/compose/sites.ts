// The catalogue of sources that the API offers, from the sources themselves.
import { z } from 'zod';
import type { SiteCatalogue, SourceAbout } from '../model/source/site.ts';
import { issueErrors } from '../model/zod-messages.ts';
import { SOURCES } from '../sources/index.ts';

export function siteCatalogue(): SiteCatalogue {
  const sites = [...SOURCES.values()]
    .filter((source) => source.kind === 'posting')
    .map(({ name, title, kind, params, countries }) => ({
      name,
      title,
      kind,
      params: z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>,
      ...(countries === undefined ? {} : { countries }),
    }));
  return {
    all: () => sites,
    check(name, params) {
      const source = SOURCES.get(name);
      if (source?.kind !== 'posting') return null;
      const checked = source.params.safeParse(params);
      if (checked.success) return { params: checked.data as Record<string, unknown> };
      return { errors: issueErrors(checked.error.issues) };
    },
  };
}

/** Every source, in the lane that configuration gives it. */
export function aboutSources(laneOf: (source: string) => string): SourceAbout[] {
  return [...SOURCES.values()].map(({ name, title, kind, hosts }) => ({
    name,
    title,
    kind,
    hosts,
    lane: laneOf(name),
  }));
}
