import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// One project a kind of test, so that a single kind can be run alone: `npm test -- --project faults`.
const project = (name: string, include: string[], timeoutMs: number, isolate: boolean) => ({
  test: { name, include, testTimeout: timeoutMs, hookTimeout: 120_000, isolate },
});

/**
 * Projects that share modules between files last, each in one piece. Of the others one file each in turn, the large ones first: what computes runs beside
 * what waits, and no long file is left for the end.
 */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [apart, shared] = [true, false].map((isolate) =>
      sorted.filter((file) => file.project.config.isolate === isolate),
    );
    const byProject = Map.groupBy(apart!, (file) => file.project.name);
    const turns = [...byProject.values()].flatMap((own) => own.map((file, turn) => ({ file, turn })));
    return [...turns.sort((a, b) => a.turn - b.turn).map(({ file }) => file), ...shared!];
  }
}

export default defineConfig({
  test: {
    // Most of the long tests wait: for a lease to run out, a server to come back, a page to be slow. So there are more workers than two cores could
    // feed, and no test may count on the machine being quiet. Each file has databases, prefixes, ports and folders of its own.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: Mixed },
    projects: [
      project('arrows', ['tests/arrows.test.ts'], 60_000, false),
      project('unit', ['src/**/*.test.ts'], 60_000, false),
      project('sources', ['tests/sources/**/*.test.ts'], 60_000, false),
      project('conformance', ['tests/conformance/**/*.test.ts'], 180_000, true),
      project('system', ['tests/system/**/*.test.ts'], 180_000, true),
      project('faults', ['tests/faults/**/*.test.ts'], 180_000, true),
      project('browser', ['tests/browser/**/*.test.ts'], 180_000, true),
    ],
  },
});
