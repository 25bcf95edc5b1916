// A module is named by a path or as a package: what begins with a dot, a slash or file: is a path.
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const isPath = (name: string): boolean =>
  /^\.{1,2}(?:\/|$)/.test(name) || isAbsolute(name) || name.startsWith('file:');

export const pathOf = (name: string, folder: string): string =>
  name.startsWith('file:') ? fileURLToPath(name) : resolve(folder, name);
