// Real answers of sites, saved by people, are not in this repository: they lie beside it, or where WINDROW_FIXTURES says. A test each: what its source
// reads in it is compared with what a person saw (the JSON file of its kind). One that nobody has looked at yet has to be readable, and the end of the
// run counts it apart. `CAPTURES=write npm test -- --project captures` writes what is read now, to be looked at before it is committed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

export const FIXTURES = resolve(process.env.WINDROW_FIXTURES ?? join(import.meta.dirname, '../../../shared/fixtures'));

const isWriting = process.env.CAPTURES === 'write';

declare module 'vitest' {
  interface TaskMeta {
    /** How many captures the test has read, and how many of them were compared with something. */
    captures?: { read: number; compared: number };
  }
}

export interface CaptureKind {
  /** Below the fixtures. */
  folder: string;
  /** What a person saw, by file. */
  expected: string;
  isCapture(file: string): boolean;
  read(text: string, file: string): unknown;
}

export function captureTests({ folder, expected, isCapture, read }: CaptureKind): void {
  const path = join(FIXTURES, folder);
  if (!existsSync(path)) {
    test(`there is no ${folder} among the captures`, ({ task }) => {
      task.meta.captures = { read: 0, compared: 0 };
    });
    return;
  }
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(isCapture).sort();
  const wanted = JSON.parse(readFileSync(expected, 'utf8')) as Record<string, unknown>;
  const found: Record<string, unknown> = {};

  test.for(files)(`${folder}/%s`, async (file, { task }) => {
    // As JSON keeps it: what is undefined is not there.
    found[file] = JSON.parse(JSON.stringify(await read(readFileSync(join(path, file), 'utf8'), file)));
    task.meta.captures = { read: 1, compared: Number(file in wanted) };
    if (!isWriting && file in wanted) expect(found[file]).toEqual(wanted[file]);
  });

  afterAll(() => {
    if (isWriting) writeFileSync(expected, `${JSON.stringify(found, null, 2)}\n`);
  });
}
