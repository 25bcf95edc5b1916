// `provenance=1` of lists: each item with where its fields came from.
import { z } from 'zod';
import type { Kind } from '../../model/item/item.ts';
import type { Origins } from '../../model/provenance/origins.ts';
import { ArchivedPage, NOT_KNOWN, originsShown, type StoredProvenance } from '../../model/provenance/provenance.ts';
import type { ListPlace } from '../../store/items/item-list.ts';

/** How a kind of item is asked for. */
export interface ProvenanceSpec<T> {
  read(kind: Kind, keys: readonly string[]): Promise<Map<string, StoredProvenance>>;
  kind: Kind;
  /** The fields that a page said. */
  fieldsOf(item: T): object;
  /** What the origins call a field that is shown under another name. */
  named?: Origins;
}

export const ProvenanceFilter = z.enum(['0', '1', 'false', 'true']).optional().meta({
  description: 'With `1`: adds `provenance` to each item. In CSV there is no place for it.',
});

export const ProvenanceView = z
  .object({
    source_version: z.int().nullable(),
    task_id: z.string().nullable(),
    attempt: z.int().nullable(),
    pages: z.array(ArchivedPage),
    fields: z.record(z.string(), z.string()),
  })
  .optional()
  .meta({
    description:
      'With `provenance=1`: the version of the source and the attempt that brought it, the pages of that attempt in the archive of its worker, and for each field that has a value where it came from, such as `json-ld:title`, `api:jobs[].title`, `selector:h3 a`, `rule:salary-in-text`; `unknown` where it was not recorded.',
  });

/** Reads what is known of items, and shows it. Items that are read are remembered until they are shown. */
export function provenanceReader<T extends { at: ListPlace }>(spec: ProvenanceSpec<T>) {
  let known = new Map<string, StoredProvenance>();
  return {
    async reading(items: T[]): Promise<T[]> {
      known =
        items.length === 0
          ? new Map()
          : await spec.read(
              spec.kind,
              items.map(({ at }) => at.key),
            );
      return items;
    },
    of(item: T): z.infer<typeof ProvenanceView> {
      const { sourceVersion, taskId, attempt, pages, origins } = known.get(item.at.key) ?? NOT_KNOWN;
      return {
        source_version: sourceVersion,
        task_id: taskId,
        attempt,
        pages: [...pages],
        fields: originsShown(spec.fieldsOf(item), origins, spec.named),
      };
    },
  };
}
