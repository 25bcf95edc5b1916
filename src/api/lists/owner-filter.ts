// Of whom a list is: a key of scope admin may ask for one owner, any other has a list of its own owner.
import { z } from 'zod';
import { OWNER } from '../../model/key/key.ts';

export const OwnerFilter = z.string().regex(OWNER).optional().meta({
  description: 'Only of this owner of API keys. Without the scope `admin` there are none but your own.',
});

/** Null: of everybody. With another owner's name there is nothing: no key has an empty owner. */
export function ownerWanted({
  sees,
  query,
}: {
  sees: string | null;
  query: { owner?: string | undefined };
}): string | null {
  if (sees === null || query.owner === undefined) return sees ?? query.owner ?? null;
  return query.owner === sees ? sees : '';
}
