import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { CAPTURES, CapturesReporter } from './tests/support/captures-reporter.ts';

/** Captures of real sites are not part of the repository. */
const fixtures = resolve(process.env.WINDROW_FIXTURES ?? resolve(import.meta.dirname, '../shared/fixtures'));
const hasCaptures = existsSync(fixtures);

interface Kind {
  include: string[];
  timeoutMs: number;
  isolate: boolean;
  setupFiles?: string[];
}

// One project a kind of test, so that a single kind can be run alone: `npm test -- --project faults`.
const project = (name: string, { timeoutMs, ...kind }: Kind) => ({
  test: { name, testTimeout: timeoutMs, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } }, ...kind },
});

const computed = (name: string, ...include: string[]) =>
  project(name, { include, timeoutMs: 600_000, isolate: false, setupFiles: ['tests/support/fixed-seed.ts'] });
const lived = (name: string) =>
  project(name, { include: [`tests/${name}/**/*.test.ts`], timeoutMs: 600_000, isolate: true });

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
    reporters: ['default', new CapturesReporter(relative(import.meta.dirname, fixtures), hasCaptures)],
    projects: [
      // Each by itself: one watches the regular expressions that are made while modules are loaded.
      project('arrows', { include: ['tests/*.test.ts'], timeoutMs: 600_000, isolate: true }),
      computed('unit', 'src/**/*.test.ts', 'tools/**/*.test.ts'),
      computed('sources', 'tests/sources/**/*.test.ts'),
      computed(CAPTURES, ...(hasCaptures ? ['tests/captures/**/*.test.ts'] : [])),
      lived('conformance'),
      lived('system'),
      lived('faults'),
      lived('browser'),
    ],
  },
});
