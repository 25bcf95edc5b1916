// Reads responses of boards and distinguishes blocked, broken and empty. A board often blocks with status 200.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import type { Web, WebResponse } from '../../web/port.ts';

/** The JSON of an answer; a page in its place is named for what it is. */
export function readJsonPage<T>(page: WebResponse, schema: z.ZodType<T>, web: Web): T {
  let value: unknown;
  try {
    value = JSON.parse(page.text);
  } catch (cause) {
    throw whatItIs(page, web, 'the board did not answer with JSON', cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AppError('layout_changed', `${issue?.path.join('.') || 'the answer'} is not as expected`, {
    cause: parsed.error,
  });
}

/** For a page in which no row was found although rows were expected: an error that says why, or null for an honest zero. */
export function whyNoRows(page: WebResponse, web: Web): AppError | null {
  if (page.text.trim() === '' || web.diagnose(page) === 'empty') return null;
  return whatItIs(page, web, 'no rows in a page that is not empty');
}

function whatItIs(page: WebResponse, web: Web, otherwise: string, cause?: unknown): AppError {
  const found = web.diagnose(page);
  const options = { details: { page: found }, ...(cause === undefined ? {} : { cause }) };
  if (found === 'captcha') return new AppError('captcha', undefined, options);
  if (found === 'empty' || found === 'layout_changed') return new AppError('layout_changed', otherwise, options);
  if (found === 'soft_404') return new AppError('not_found', undefined, options);
  return new AppError('blocked', `the board answered with a ${found} page`, options);
}

/** GraphQL says no with status 200. */
export const GraphErrors = z.array(z.object({ message: z.string().nullish(), extensions: z.unknown() })).nullish();

export function refuseErrors(errors: z.infer<typeof GraphErrors>): void {
  const [first] = errors ?? [];
  if (!first) return;
  const message = (first.message ?? 'without a reason').slice(0, 200);
  if (/unauth|forbidden|api.?key|not authori[sz]ed|csrf|token/i.test(message))
    throw new AppError('blocked', `the board refused: ${message}`);
  throw new AppError('layout_changed', `the board refused the query: ${message}`);
}

/** The JSON value that begins at `from`: an object or an array inside a script, whatever follows it. */
export function balancedJson(text: string, from: number): unknown {
  const end = endOfValue(text, from);
  if (end < 0) return undefined;
  try {
    return JSON.parse(text.slice(from, end));
  } catch {
    // Not JSON after all: the caller looks for the next place.
    return undefined;
  }
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let isString = false;
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (isString) {
      if (c === 92) i++;
      else if (c === 34) isString = false;
    } else if (c === 34) isString = true;
    else if (c === 123 || c === 91) depth++;
    else if (c === 125 || c === 93) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}
