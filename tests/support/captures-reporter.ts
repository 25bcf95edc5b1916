// Says at the end of a run how many captures were read, or that none were and why: a folder that is not there must not look like a test that passed.
import type { Reporter, TestCase, Vitest } from 'vitest/node';
import type {} from '../captures/captures.ts';

export const CAPTURES = 'captures';

export class CapturesReporter implements Reporter {
  readonly #folder: string;
  readonly #isThere: boolean;
  #isAskedFor = false;
  readonly #count = { read: 0, compared: 0, failed: 0 };

  constructor(folder: string, isThere: boolean) {
    this.#folder = folder;
    this.#isThere = isThere;
  }

  onInit(vitest: Vitest): void {
    this.#isAskedFor = vitest.projects.some((project) => project.name === CAPTURES);
  }

  onTestCaseResult(test: TestCase): void {
    if (test.project.name !== CAPTURES) return;
    const { read = 0, compared = 0 } = test.meta().captures ?? {};
    this.#count.read += read;
    this.#count.compared += compared;
    if (test.result().state === 'failed') this.#count.failed++;
  }

  onTestRunEnd(): void {
    if (this.#isAskedFor) process.stdout.write(`test: captures: ${this.#told()}\n`);
  }

  #told(): string {
    const { read, compared, failed } = this.#count;
    if (!this.#isThere) return `none were run: there is no ${this.#folder} (WINDROW_FIXTURES names another folder)`;
    if (read === 0 && failed === 0) return 'none were run: other tests were asked for';
    const unknown = read === compared ? '' : `, ${read - compared} of them only read, as nobody has looked at them yet`;
    return `${read} were run${unknown}${failed === 0 ? '' : `; ${failed} tests of them failed`}`;
  }
}
