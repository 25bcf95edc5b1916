// How much two texts have in common, by runs of three words. Boards cut texts and add their own lines, so the shorter one decides: a text that is
// contained in the other is the same text.

const RUN = 3;
const MAX_SHINGLES = 600;

/** Hashes of the runs of words; null for a text too short to have any. */
export function shinglesOf(text: string): Set<number> | null {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
  if (words.length < RUN) return null;
  const found = new Set<number>();
  for (let i = 0; i + RUN <= words.length && found.size < MAX_SHINGLES; i++)
    found.add(hashOf(`${words[i]} ${words[i + 1]} ${words[i + 2]}`));
  return found;
}

/** Share of the smaller set that is in the larger: 0 to 1. */
export function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  let common = 0;
  for (const one of small) if (large.has(one)) common++;
  return common / small.size;
}

/** FNV-1a, 32 bits: a collision costs a six-hundredth of a similarity. */
function hashOf(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
