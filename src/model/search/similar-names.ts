// How alike two names are, as pg_trgm says it: the share of three-letter pieces that the words of both have in common. For servers without that extension.

/** 0 … 1. Of the query its best place in the name counts: "gogle" is as much like "Google" as like "Google Ireland Ltd". */
export function similarity(asked: string, name: string): number {
  const wanted = pieces(asked);
  if (wanted.size === 0) return 0;
  const there = pieces(name);
  let common = 0;
  for (const piece of wanted) if (there.has(piece)) common += 1;
  return common / wanted.size;
}

/** Below this two names are different. */
export const SIMILAR = 0.42;

function pieces(name: string): Set<string> {
  const found = new Set<string>();
  for (const word of name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) found.add(padded.slice(at, at + 3));
  }
  return found;
}
