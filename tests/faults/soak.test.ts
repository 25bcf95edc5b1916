// The soak of `npm run soak`, for a short while. `SOAK_SECONDS=600 SOAK_SEED=3 npm test -- --project faults tests/faults/soak.test.ts` is longer, or again.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultPlan, GROUPS } from '../soak/faults/plan.ts';
import { findings, tableOf } from '../soak/report.ts';
import { soak } from '../soak/soak.ts';
import { seeded } from '../support/random.ts';

const SECONDS = Number(process.env.SOAK_SECONDS ?? 20);
const SEED = Number(process.env.SOAK_SEED ?? 7);

test(`everything breaks at random for ${SECONDS} s and nothing acknowledged is lost (seed ${SEED})`, {
  timeout: (SECONDS + 900) * 1_000,
}, async () => {
  const lines: string[] = [];
  const folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'windrow-soak-'));
  const report = (await soak({ seconds: SECONDS, seed: SEED, folder, say: (line) => void lines.push(line) }))!;
  console.log([`soak with seed ${SEED}`, ...lines, ...tableOf(report)].join('\n'));
  expect(findings(report)).toEqual([]);
  expect(report.faults.length).toBeGreaterThan(0);
  expect(report.runs).toBeGreaterThan(SECONDS / 4);
});

test('the same seed gives the same faults in the same order, and every fault in twenty minutes', () => {
  const rounds = (seed: number) => {
    const next = faultPlan(seeded(seed));
    return Array.from({ length: 50 }, () => next().map(({ fault, afterMs }) => `${fault.name} after ${afterMs} ms`));
  };
  expect(rounds(SEED)).toEqual(rounds(SEED));
  expect(rounds(SEED)).not.toEqual(rounds(SEED + 1));
  const names = new Set(
    rounds(SEED)
      .flat()
      .map((text) => text.replace(/ after \d+ ms$/, '')),
  );
  expect(GROUPS.flat().filter(({ name }) => !names.has(name))).toEqual([]);
});
