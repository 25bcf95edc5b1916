// All rows of a list, page after page. A list answers with one array and the cursor of the next page, at the top or in `data`.
import type { Connection } from './request.ts';
import type { AnyGiven, Args, Query, Reply, RouteName } from './routes.ts';

type Unwrapped<T> = T extends { data: infer D } ? D : T;
type ArrayIn<T> = { [K in keyof T]-?: NonNullable<T[K]> extends (infer Row)[] ? Row : never }[keyof T];

/** Routes that take a cursor. */
export type ListName = {
  [R in RouteName]: 'cursor' extends keyof NonNullable<Query<R>> ? R : never;
}[RouteName];

/** Which array, where a page has several (`failed_articles` beside `results`). */
const SECOND = new Set(['failed_articles', 'sites', 'site_name']);

export type Row<R extends ListName> = ArrayIn<Omit<Unwrapped<Reply<R>>, 'failed_articles' | 'sites' | 'site_name'>>;

export async function* rowsOf<R extends ListName>(
  connection: Connection,
  name: R,
  ...[given]: Args<R>
): AsyncGenerator<Row<R>, void, undefined> {
  const { query = {}, ...rest } = (given ?? {}) as AnyGiven;
  let cursor = query.cursor as string | null | undefined;
  do {
    const next = { ...rest, query: { ...query, cursor } } as unknown as Args<R>[0];
    const reply = (await connection.call(name, ...([next] as unknown as Args<R>))) as Record<string, unknown>;
    const page = (reply.data ?? reply) as Record<string, unknown>;
    const rows = Object.entries(page).find(([key, value]) => Array.isArray(value) && !SECOND.has(key));
    yield* (rows?.[1] ?? []) as Row<R>[];
    cursor = page.next_cursor as string | null | undefined;
  } while (cursor);
}
