// Blocks of code in the documentation, and the program that the README opens with.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

export const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync(['docs/**/*.md', 'examples/**/*.md', 'clients/python/*.md'], { cwd: ROOT }).sort(),
];

export interface Fence {
  /** Page and line of the first line inside. */
  at: string;
  language: string;
  code: string;
}

export function fencesOf(page: string): Fence[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map((match) => ({
    at: `${page}:${text.slice(0, match.index).split('\n').length + 1}`,
    language: match[2]!,
    code: match[3]!.replaceAll(new RegExp(`^${match[1]}`, 'gm'), ''),
  }));
}

export const fences = (...languages: string[]): Fence[] =>
  PAGES.flatMap(fencesOf).filter(({ language }) => languages.includes(language));

/** The program, and what the README says that it prints. */
export function readmeProgram(): { program: string; prints: string } {
  const all = fencesOf('README.md');
  const i = all.findIndex(({ language }) => language === 'ts');
  const [program, prints] = all.slice(i);
  if (i === -1 || prints?.language !== 'text')
    throw new Error('README has no ts block that is followed by a text block');
  return { program: program!.code, prints: prints.code };
}
