// Which Windrow this is.
import { readFileSync } from 'node:fs';

export function windrowVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

export const versionLine = (): string => `windrow ${windrowVersion()} (node ${process.versions.node})`;
