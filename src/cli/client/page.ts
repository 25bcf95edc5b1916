// Saved pages, as commands show them.
// What a reader would get wrong: a page is a foreign text. On a terminal its control characters are taken out, since they could do there what they like.
import type { Client } from './client.ts';

/** `path`: of the API. */
export async function printPage(client: Client, path: string): Promise<void> {
  const text = (await bytesOf(client, path)).toString('utf8');
  process.stdout.write(process.stdout.isTTY ? `${harmless(text)}\n` : text);
}

export async function bytesOf(client: Client, path: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await client.stream(path, '*/*')) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Lines and tabs stay. */
const harmless = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
