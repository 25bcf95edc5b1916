// The line that a ready task stands in: tasks of one source for one owner, in the order of their turns. What a reader would get wrong: a task whose host can
// take no more now leaves that line for one of its host (`~host line`), so that it is not in the way of the tasks behind it.

export interface Line {
  source: string;
  /** Who asked: the id of an API key; null where there are no keys. */
  owner: string | null;
  /** The host that all of it waits for, in a line of a host. */
  host: string | null;
}

/** Sorts after every name of a source. */
export const HOST_MARK = '~';

export const lineOf = (source: string, owner: string | null | undefined): string =>
  owner ? `${source} ${owner}` : source;

/** Where tasks of a line wait for their host. */
export const hostLineOf = (host: string, line: string): string => `${HOST_MARK}${host} ${line}`;

export function parseLine(text: string): Line {
  const words = text.split(' ');
  const host = text.startsWith(HOST_MARK) ? words.shift()!.slice(HOST_MARK.length) : null;
  const [source = '', owner = null] = words;
  return { source, owner, host };
}
