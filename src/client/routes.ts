// The types of a request, from the routes of the OpenAPI document: `call('GET /runs/{run_id}', { path: { run_id } })`.
import type { Routes } from './routes.generated.ts';

export type RouteName = keyof Routes;
export type Reply<R extends RouteName> = Routes[R]['reply'];
export type Query<R extends RouteName> = Routes[R]['query'];
export type Body<R extends RouteName> = Routes[R]['body'];

export interface RequestOptions {
  signal?: AbortSignal;
  /** Milliseconds for one attempt, the answer included. */
  timeoutMs?: number;
  /** Default of routes that take one: a new one, the same for every attempt. */
  idempotencyKey?: string;
}

/** What a route takes, without the parts that it does not have. */
export type Given<R extends RouteName> = {
  [Part in 'path' | 'query' | 'body' as Routes[R][Part] extends undefined ? never : Part]: Routes[R][Part];
} & RequestOptions;

/** Of a route without path and body nothing has to be said. */
export type Args<R extends RouteName> = undefined extends Routes[R]['path']
  ? undefined extends Routes[R]['body']
    ? [given?: Partial<Given<R>>]
    : [given: Needed<R>]
  : [given: Needed<R>];

type Needed<R extends RouteName> = Omit<Given<R>, 'query'> & Partial<Pick<Given<R>, Extract<'query', keyof Given<R>>>>;

export interface AnyGiven extends RequestOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** `GET /runs/{run_id}` with its parameters: `/runs/job_1?…`. */
export function addressOf(name: RouteName, { path = {}, query = {} }: Pick<AnyGiven, 'path' | 'query'> = {}): string {
  const plain = name.slice(name.indexOf(' ') + 1);
  const filled = plain.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(path[key])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

export const methodOf = (name: RouteName): string => name.slice(0, name.indexOf(' '));
