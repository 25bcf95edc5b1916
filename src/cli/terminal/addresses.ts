// URLs from arguments, a file or standard input.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { AppError } from '../../model/errors.ts';

/** `-` is standard input. */
export async function readInput(path: string): Promise<string> {
  if (path === '-') return text(process.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new AppError('invalid_usage', `Cannot read ${path} (${code ?? String(error)}).`, { cause: error });
  }
}

/** One URL per line; blank lines and lines that begin with # are skipped. */
export function addressLines(content: string): string[] {
  return content
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Throws `invalid_usage` with every URL that is not valid. */
export function checkAddresses(urls: readonly string[]): void {
  const bad = urls.filter((url) => !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol));
  if (bad.length > 0)
    throw new AppError('invalid_usage', `Not a URL with http:// or https://: ${bad.slice(0, 10).join(', ')}`);
}
