// Where a hostile page can put what, and how long it takes to read at two sizes. Reading in proportion to the size takes four times as long for four times
// as much; sixteen times is quadratic, on any machine.
import type { Reader } from './readers.ts';

export const UNITS = [
  ...'@a0. \t\n-<>&"\'/(,:;$%*_|[{\\#=+~\u00e4\u00ad\u00a0\u20ac\u2013\u6771',
  'ab',
  'a ',
  '1,',
  '0.',
  '1 ',
  '- ',
  '$1 ',
  '1-',
  'GmbH ',
  'Inc. ',
  'by ',
  'http://a ',
  'a@a.',
  'A, ',
  '10 - ',
  '1 x ',
  '2024-',
  'Jan ',
  ' / ',
  'per ',
  'Remote, ',
  ' of ',
  'years ',
  '&amp;',
  '&lt;',
  '&#',
  '<b>',
  '<p>',
  '<div>',
  '</p>',
  '<br>',
  '<p>x</p>',
  '<a href=a>',
  '<!--',
  '<script>',
  '<li>a',
  '<table><tr><td>',
  '[',
  '{"a":',
  ' a=b',
  '"],[',
  '*/',
  '%41',
  '\r\n',
] as const;

export interface Mutation {
  unit: string;
  /** Where the run is put. */
  at: number;
  isJson: boolean;
}

/** The beginnings of texts: of elements, attributes, and values in JSON; of a text without markup, all its words. One of each name. */
export function positionsIn(text: string): { at: number; isJson: boolean }[] {
  const found = new Map<string, { at: number; isJson: boolean }>();
  const marks =
    /"([\w@:-]{1,40})"\s{0,3}:\s{0,3}"|<([a-z][\w:-]{0,30})[^<>]{0,300}>(?=[^<\s])|\s([a-z-]{1,20})="|(?:^|\s)(?=\S)/gi;
  const isMarkup = /^\s{0,99}[[{<]/.test(text);
  for (const match of text.matchAll(marks)) {
    const [whole, key, tag, attribute] = match;
    if (isMarkup && key === undefined && tag === undefined && attribute === undefined) continue;
    const name = `${key ?? ''} ${tag ?? ''} ${attribute ?? ''} ${isMarkup ? '' : match.index}`;
    if (!found.has(name)) found.set(name, { at: match.index + whole.length, isJson: key !== undefined });
  }
  found.set('end', { at: text.length, isJson: false });
  return [...found.values()];
}

export function mutate({ text }: Reader, { unit, at, isJson }: Mutation, chars: number): string {
  const run = unit.repeat(Math.ceil(chars / unit.length));
  return text.slice(0, at) + (isJson ? JSON.stringify(run).slice(1, -1) : run) + text.slice(at);
}

export interface Growth {
  /** Of the larger one. */
  cpuMs: number;
  microsPerByte: number;
  /** How much longer four times the size takes; null where both are too short to tell. */
  growth: number | null;
}

const TELLING_MS = 25;
/** Linear is 4, quadratic 16. */
const MAX_GROWTH = 8;

/** Whether time grows faster than the text: at this size, and still at four times as much, where the noise of a machine is smaller. */
export async function isTooSteep(
  reader: Reader,
  mutation: Mutation,
  chars: number,
  { growth }: Growth,
): Promise<boolean> {
  if ((growth ?? 0) <= MAX_GROWTH) return false;
  return ((await growthOf(reader, mutation, 4 * chars)).growth ?? 0) > MAX_GROWTH;
}

export async function growthOf(reader: Reader, mutation: Mutation, chars: number): Promise<Growth> {
  const large = mutate(reader, mutation, chars);
  const cpuMs = await cpuOf(reader, large);
  const microsPerByte = (cpuMs * 1_000) / large.length;
  if (cpuMs < TELLING_MS) return { cpuMs, microsPerByte, growth: null };
  // What the text costs without the run, and what its beginning costs, is in both.
  const plain = await cpuOf(reader, reader.text);
  const small = await cpuOf(reader, mutate(reader, mutation, chars / 4));
  const growth = (cpuMs - plain) / Math.max(small - plain, TELLING_MS / 8);
  return { cpuMs, microsPerByte, growth };
}

/** Of twice the same, the shorter: the other may have been interrupted, or compiled. */
async function cpuOf(reader: Reader, text: string): Promise<number> {
  const first = await once(reader, text);
  return first < TELLING_MS / 4 || first > 2_000 ? first : Math.min(first, await once(reader, text));
}

async function once({ read }: Reader, text: string): Promise<number> {
  const before = process.threadCpuUsage();
  try {
    await read(text);
  } catch (error) {
    // A page that cannot be read is a right answer; an error of the language is not.
    if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
