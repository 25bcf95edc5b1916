// `server.json` in the home folder: how a command finds the Windrow that runs there. It is valid only while the process that wrote it holds the home
// lock; after a crash the file stays and means nothing.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orUndefined } from './data-folder.ts';
import { homeOwner } from './lock.ts';

export interface ServerFile {
  /** The windrow process, not PostgreSQL. */
  pid: number;
  started: string;
  /** Where the API answers, once it does. */
  api?: string;
  postgres?: { pid: number; socketDir: string; user: string; database: string };
}

/** What runs in this home now; undefined when nothing does. */
export async function readHome(home: string): Promise<ServerFile | undefined> {
  const file = await readServerFile(home);
  if (!file) return undefined;
  const owner = await homeOwner(home);
  return owner?.pid === file.pid ? file : undefined;
}

/** The file as it is, whoever wrote it: the next start cleans up after the last by it. */
export async function readServerFile(home: string): Promise<ServerFile | undefined> {
  const text = await readFile(join(home, 'server.json'), 'utf8').catch(orUndefined);
  return text === undefined ? undefined : (JSON.parse(text) as ServerFile);
}

/** Only for the holder of the home lock. */
export async function writeHome(home: string, file: ServerFile): Promise<void> {
  const draft = join(home, 'server.json.draft');
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o644 });
  await rename(draft, join(home, 'server.json'));
}

export async function clearHome(home: string): Promise<void> {
  await rm(join(home, 'server.json'), { force: true });
}
