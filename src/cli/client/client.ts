// How the client commands talk to a running server: plain HTTP as in the contract. A refusal comes back as the error the server named.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { Job as ApiJob, Submitted as ApiSubmitted } from '../../api/articles/schemas.ts';
import type { Config } from '../../config.ts';
import { AppError, ERRORS, type ErrorCode } from '../../model/errors.ts';
import { readHome } from '../../store/embedded/home.ts';
import { type CommandText, command, takesSettings } from '../command.ts';
import { flagsFrom } from '../settings/flags.ts';
import { loadConfig } from '../settings/load.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type Submitted = z.infer<typeof ApiSubmitted>;

export type Job = z.infer<typeof ApiJob>;

export interface Results {
  results: { url: string; title: string | null; content: string | null; cached: boolean }[];
  failed_articles: { url: string; error: string; attempts: number }[];
  next_cursor: string | null;
}

export interface Client {
  readonly origin: string;
  get<T>(path: string): Promise<T>;
  send<T>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<T>;
  /** A POST that makes one run however often it is sent: repeated while the server says that its store is down. */
  submit<T>(path: string, body: unknown, key?: string): Promise<T>;
  /** The response as a stream, for large results. */
  stream(path: string, accept: string): Promise<AsyncIterable<Uint8Array>>;
  /** URL of a WebSocket, with a ticket if the server needs keys. */
  socketAddress(path: string): Promise<string>;
}

const TIMEOUT_MS = 30_000;
const SUBMIT_ATTEMPTS = 10;
const BETWEEN_ATTEMPTS_MS = 1_000;
const DEFAULT_ORIGIN = 'http://127.0.0.1:8000';

export function createClient(origin: string, apiKey?: string, timeoutMs = TIMEOUT_MS): Client {
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal = AbortSignal.timeout(timeoutMs),
  ): Promise<Response> {
    const response = await fetch(new URL(path, origin), {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal,
    }).catch((error: unknown) => {
      throw noAnswer(origin, error);
    });
    if (!response.ok) throw await refusal(response);
    return response;
  }
  return {
    origin,
    get: async <T>(path: string) => (await (await ask('GET', path)).json()) as T,
    send: async <T>(
      method: 'POST' | 'PATCH' | 'DELETE',
      path: string,
      body?: unknown,
      headers?: Record<string, string>,
    ) => (await (await ask(method, path, body, headers)).json()) as T,
    async submit<T>(path: string, body: unknown, key: string = randomUUID()) {
      for (let attempt = 1; ; attempt++) {
        try {
          return (await (await ask('POST', path, body, { 'idempotency-key': key })).json()) as T;
        } catch (error) {
          if (!isStoreDown(error) || attempt === SUBMIT_ATTEMPTS) throw error;
          await sleep(BETWEEN_ATTEMPTS_MS);
        }
      }
    },
    async stream(path, accept) {
      // The time limit is for each part from the server. The reader may take any time: a pager waits for its user.
      const silence = new AbortController();
      const inTime = async <T>(part: Promise<T>): Promise<T> => {
        const timer = setTimeout(() => silence.abort(new DOMException('no more came', 'TimeoutError')), timeoutMs);
        return part.finally(() => clearTimeout(timer));
      };
      const { body } = await inTime(ask('GET', path, undefined, { accept }, silence.signal));
      return partsOf(body?.getReader(), (part) =>
        inTime(part).catch((error) => Promise.reject(brokenOff(origin, error))),
      );
    },
    async socketAddress(path) {
      const url = new URL(path, origin.replace(/^http/, 'ws'));
      if (apiKey) {
        const answer = await ask('POST', '/ws/ticket');
        url.searchParams.set('ticket', ((await answer.json()) as { ticket: string }).ticket);
      }
      return url.href;
    },
  };
}

async function* partsOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  inTime: <T>(part: Promise<T>) => Promise<T>,
): AsyncGenerator<Uint8Array> {
  try {
    while (reader) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // A stream that failed cannot be cancelled, and its error was thrown.
    await reader?.cancel().catch(() => {});
  }
}

/** The server that the settings name, else the one that runs in the home folder, else the one on the default port. */
export async function configuredClient(options: Record<string, unknown>, terminal: Terminal): Promise<Client> {
  const config = loadConfig({
    flags: flagsFrom(options),
    file: options.config as string | undefined,
    warn: (line) => terminal.say(`warning: ${line}`),
  });
  return createClient(await originOf(config), config.apiKey ?? config.apiKeys?.[0]);
}

async function originOf(config: Config): Promise<string> {
  return config.url ?? (await readHome(config.home))?.api ?? DEFAULT_ORIGIN;
}

/** A command that talks to a server. */
export const clientCommand = (text: CommandText) => takesSettings(command(text), ['url', 'home']);

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

const brokenOff = (origin: string, error: unknown): AppError =>
  new AppError('unavailable', `The connection to ${origin} broke (${reasonOf(error)}): the result is not complete.`, {
    cause: error,
  });

function noAnswer(origin: string, error: unknown): AppError {
  return new AppError(
    'unavailable',
    `Cannot reach a server at ${origin} (${reasonOf(error)}). Start one with \`windrow up\`, or set its URL with --url or WINDROW_URL.`,
    { cause: error },
  );
}

interface Problem {
  code?: string;
  detail?: string;
  /** The error of an unknown cart has this field. */
  message?: string;
  title?: string;
  errors?: { pointer: string; detail: string }[];
}

/** The message of the server, with the setting to use: the server can only name headers. */
function wordsFor(code: ErrorCode, status: number, said: string): string {
  if (code === 'internal') return `The server answered ${status}: ${said}`;
  return code === 'unauthorized' ? `${said} Set it with WINDROW_API_KEY or WINDROW_API_KEY_FILE.` : said;
}

/** The server answered, and could not reach its store. */
const isStoreDown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unavailable' && error.details?.status === 503;

async function refusal(response: Response): Promise<AppError> {
  const text = await response.text().catch(() => '');
  let problem: Problem = {};
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    problem = { detail: text.slice(0, 200) };
  }
  const code =
    problem.code && Object.hasOwn(ERRORS, problem.code)
      ? (problem.code as ErrorCode)
      : problem.message && response.status === 404
        ? 'unknown_id'
        : 'internal';
  const said = problem.detail || problem.message || problem.title || 'no reason given';
  return new AppError(code, wordsFor(code, response.status, said), {
    details: { status: response.status, request_id: response.headers.get('x-request-id') },
    ...(problem.errors?.length ? { errors: problem.errors } : {}),
  });
}
