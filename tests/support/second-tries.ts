// A test that passed only when it was run again is said so at the end of the run: it counts as passed, and somebody should look at it.
import type { Reporter, TestCase } from 'vitest/node';

export class SecondTries implements Reporter {
  readonly #found: TestCase[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#found.push(test);
  }

  onTestRunEnd(): void {
    if (this.#found.length === 0) return;
    const lines = this.#found.flatMap((test) => [
      `  ${test.module.relativeModuleId} > ${test.fullName}`,
      ...(test.result().errors ?? []).map(({ message }) => `    ${message.split('\n')[0]}`),
    ]);
    process.stdout.write(`\ntest: passed only when run again:\n${lines.join('\n')}\n`);
  }
}
