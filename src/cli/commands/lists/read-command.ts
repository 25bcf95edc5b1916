// Commands that ask a server for one thing and show it, each described by a row: where in the API it is, which flags become which parameters, and how it looks.
import type { Command } from 'commander';
import { clientCommand } from '../../client/client.ts';
import { formatOf, streamOut } from '../../terminal/formats.ts';
import { type At, openClient } from './about-one.ts';

export interface Flag {
  flags: string;
  about: string;
  /** Of the API; the name of the flag by default. */
  parameter?: string;
  read?: (text: string) => unknown;
  value?: string | number;
}

export interface Reading<T> {
  name: string;
  about: string;
  examples: readonly (readonly [string, string])[];
  /** As in the reference: what is in braces is an argument of the command. */
  path: string;
  arguments?: Readonly<Record<string, string>>;
  flags?: readonly Flag[];
  /** The API has it as CSV too. */
  hasCsv?: boolean;
  show(found: T, at: At): void | Promise<void>;
}

export function readCommand<T extends object>(of: Reading<T>): Command {
  const made = clientCommand(of);
  const names = Object.keys(of.arguments ?? {});
  for (const name of names) made.argument(`<${name}>`, of.arguments![name]);
  for (const { flags, about, read, value } of of.flags ?? [])
    if (read) made.option(flags, about, read, value);
    else made.option(flags, about, value === undefined ? undefined : String(value));
  if (of.hasCsv) made.option('--csv', 'as CSV');
  return made.action(async (...given: unknown[]) => {
    const options = given[names.length] as Record<string, unknown>;
    const format = formatOf(options);
    const at = await openClient({ ...options, json: format !== 'text' });
    const path = filled(of.path, names, given as string[]) + queryOf(of.flags ?? [], options);
    if (format === 'csv') return streamOut(at.client, path, format);
    const found = await at.client.get<T>(path);
    if (options.json) at.terminal.document(found);
    else await of.show(found, at);
  });
}

const filled = (path: string, names: readonly string[], values: readonly string[]): string =>
  names.reduce((made, name, i) => made.replace(`{${name}}`, encodeURIComponent(values[i]!)), path);

const longOf = (flags: string): string => /--([a-z-]+)/.exec(flags)![1]!;

function queryOf(flags: readonly Flag[], options: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const { flags: text, parameter } of flags) {
    const long = longOf(text);
    const value = options[long.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined) query.set(parameter ?? long.replaceAll('-', '_'), String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Fields and values of one thing, as rows: what is inside another has a dot. */
export function fieldRows(value: object, before = ''): string[][] {
  return Object.entries(value).flatMap(([name, one]) => {
    const path = `${before}${name}`;
    if (one === null || one === '') return [];
    if (Array.isArray(one)) return one.length === 0 ? [] : [[path, one.map(textOf).join(', ')]];
    return typeof one === 'object' ? fieldRows(one, `${path}.`) : [[path, String(one)]];
  });
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

export const MORE = 'There are more. Show them with --limit.';
