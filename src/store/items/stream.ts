// All rows of a list, however many, through a cursor of the server: a chunk at a time, the next one read while the last is written. Memory is that of two chunks, and a chunk ends
// at a number of rows or, as far as the rows before tell, of bytes: a thousand pages of text are not read at once.
// What a reader would get wrong: a cursor holds a connection and keeps the server from cleaning up, so it may not wait for a reader. When the next chunk is not taken for some
// seconds the cursor is closed, and opened again behind the last row when the reader comes back. Rows are in the order of the list, so none is lost or comes twice.
import type { Pool, PoolClient } from 'pg';
import { type Client, storeError } from '../postgres/pool.ts';
import { type Bind, type Filter, type Found, type ItemList, type ListPlace, placeText, whereOf } from './item-list.ts';

export interface StreamQuery<O extends string> {
  order: O;
  descending: boolean;
  after: ListPlace | null;
  limit: number;
  /** Rows at a time, at most. */
  chunk: number;
  /** Runs as long as a connection is held: limits how many are. */
  slots?: <T>(work: () => Promise<T>) => Promise<T>;
  /** How long a reader may take for a chunk before the connection is given back. */
  idleMs?: number;
}

const IDLE_MS = 5_000;
const CHUNK_BYTES = 4_000_000;
/** Rows of which nothing is known yet. */
const FIRST_ROWS = 20;
/** For one chunk; the first may have to sort everything. */
const CHUNK_LIMIT_MS = 120_000;

export async function* streamItems<R extends object, O extends string>(
  pool: Pool,
  list: ItemList<O>,
  query: StreamQuery<O>,
  filter: Filter,
): AsyncGenerator<(R & Found)[]> {
  const { chunk, slots = (work) => work(), idleMs = IDLE_MS } = query;
  let { after, limit: left } = query;
  let cursor: Cursor<R & Found> | null = null;
  const release = async (): Promise<void> => {
    const open = cursor;
    cursor = null;
    await open?.close();
  };
  try {
    while (left > 0) {
      cursor ??= await openCursor<R & Found>(pool, slots, statementOf(list, { ...query, after }, filter), chunk);
      const { rows: read, isEnd } = await cursor.next();
      const rows = read.slice(0, left);
      const last = rows.at(-1);
      if (!last) return;
      left -= rows.length;
      after = { value: last.place, key: last.key };
      if (isEnd || left === 0) await release();
      // The chunk that was read ahead is read again then.
      const timer = setTimeout(() => void release(), idleMs);
      try {
        yield rows;
      } finally {
        clearTimeout(timer);
      }
      if (isEnd) return;
    }
  } finally {
    await release();
  }
}

interface Statement {
  text: string;
  values: unknown[];
}

function statementOf<O extends string>(
  list: ItemList<O>,
  { order, descending, after }: StreamQuery<O>,
  filter: Filter,
): Statement {
  const { by, type } = list.orders[order];
  const direction = descending ? 'desc' : 'asc';
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const where = [...(list.always ? [list.always] : []), ...filter.conditions(bind)];
  if (after)
    where.push(`(${by}, p.key) ${descending ? '<' : '>'} (${bind(after.value)}::${type}, ${bind(after.key)}::uuid)`);
  return {
    text: `declare export no scroll cursor for select p.key, ${placeText(by, type)} as place, ${list.columns} from ${list.table} p
      ${whereOf(where)} order by ${by} ${direction}, p.key ${direction}`,
    values,
  };
}

interface Chunk<R> {
  rows: R[];
  isEnd: boolean;
}

interface Cursor<R> {
  next(): Promise<Chunk<R>>;
  close(): Promise<void>;
}

async function openCursor<R extends object>(
  pool: Pool,
  slots: NonNullable<StreamQuery<string>['slots']>,
  statement: Statement,
  chunk: number,
): Promise<Cursor<R>> {
  const opened = Promise.withResolvers<PoolClient>();
  const closed = Promise.withResolvers<boolean>();
  // The slot is held as long as the connection.
  const done = slots(async () => {
    const client = await pool.connect();
    opened.resolve(client);
    client.release(await closed.promise);
  });
  done.catch(opened.reject);
  const client = await opened.promise.catch((error) => Promise.reject(storeError(pool, error)));
  try {
    await client.query('begin read only');
    await client.query(`set local statement_timeout = ${CHUNK_LIMIT_MS}`);
    await run(client, statement.text, statement.values);
  } catch (error) {
    closed.resolve(true);
    throw storeError(pool, error);
  }
  let size = Math.min(FIRST_ROWS, chunk);
  const fetch = async (): Promise<Chunk<R>> => {
    const before = bytesReadBy(client);
    const { rows } = await run<R>(client, `fetch ${size} from export`, []);
    const isEnd = rows.length < size;
    const bytesOfOne = Math.max(1, (bytesReadBy(client) - before) / Math.max(1, rows.length));
    size = Math.max(1, Math.min(chunk, Math.floor(CHUNK_BYTES / bytesOfOne)));
    return { rows, isEnd };
  };
  let ahead = fetch();
  ahead.catch(() => {});
  return {
    async next() {
      const found = await ahead.catch((error) => Promise.reject(storeError(pool, error)));
      if (!found.isEnd) {
        ahead = fetch();
        ahead.catch(() => {});
      }
      return found;
    },
    async close() {
      // A statement that is still running is not waited for: the connection ends with it.
      const isBroken = await Promise.race([
        client.query('rollback').then(
          () => false,
          () => true,
        ),
        new Promise<true>((resolve) => setTimeout(resolve, IDLE_MS, true).unref()),
      ]);
      closed.resolve(isBroken);
      await done.catch(() => {});
    },
  };
}

/** Nobody else uses the connection meanwhile. */
const bytesReadBy = (client: Client): number =>
  (client as unknown as { connection: { stream: { bytesRead: number } } }).connection.stream.bytesRead;

const run = <R extends object>(client: Client, text: string, values: unknown[]) =>
  client.query<R & Record<string, unknown>>({ text, values, query_timeout: CHUNK_LIMIT_MS + 5_000 } as {
    text: string;
    values: unknown[];
  });
