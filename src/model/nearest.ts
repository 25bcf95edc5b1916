// "Did you mean …": the known name with the fewest edits, if they are few enough to be a typing error.

/** Short names are too close to everything: one edit in three letters is another word. */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestEdits = Math.floor(name.length / 4) + 1;
  if (bestEdits > 4) bestEdits = 4;
  for (const candidate of known) {
    const edits = editsBetween(name, candidate);
    if (edits > 0 && edits < bestEdits) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

/** Insertions, deletions, replacements, and neighbours swapped (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
