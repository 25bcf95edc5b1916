import { defineConfig } from 'vitest/config';

// One project a kind of test, so that a single kind can be run alone: `npm test -- --project faults`.
// Suites that start servers or kill processes run one file at a time: two cores make parallel timings lie.
const project = (name: string, include: string[], timeoutMs: number, parallel: boolean) => ({
  test: {
    name,
    include,
    testTimeout: timeoutMs,
    hookTimeout: 120_000,
    fileParallelism: parallel,
    sequence: { groupOrder: parallel ? 0 : 1 },
  },
});

export default defineConfig({
  test: {
    projects: [
      project('arrows', ['tests/arrows.test.ts'], 20_000, true),
      project('unit', ['src/**/*.test.ts'], 20_000, true),
      project('sources', ['tests/sources/**/*.test.ts'], 30_000, true),
      project('conformance', ['tests/conformance/**/*.test.ts'], 60_000, false),
      project('system', ['tests/system/**/*.test.ts'], 90_000, false),
      project('faults', ['tests/faults/**/*.test.ts'], 180_000, false),
      project('browser', ['tests/browser/**/*.test.ts'], 90_000, false),
    ],
  },
});
