// The program that the README opens with, and what it says that it prints.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const README = join(resolve(import.meta.dirname, '../..'), 'README.md');

export async function readmeProgram(): Promise<{ program: string; prints: string }> {
  const readme = await readFile(README, 'utf8');
  const [, program, prints] = /```ts\n([\s\S]*?)```\n```text\n([\s\S]*?)```/.exec(readme) ?? [];
  if (program === undefined || prints === undefined)
    throw new Error('README has no ts block that is followed by a text block');
  return { program, prints };
}
