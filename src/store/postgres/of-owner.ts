// Conditions for rows of one owner. A text of its own for "of everybody", so that the planner sees which index it may use: rows without an owner are in none.

/** `value`: the parameter, which has a place in either text. */
export const ofOwner = (owner: string | null | undefined, value: string, column = 'owner'): string =>
  owner == null ? `${value}::text is null` : `${column} = ${value}::text`;
