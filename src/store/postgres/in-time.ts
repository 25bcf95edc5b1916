// Questions whose cost depends on what is asked: they have a time limit of their own.
import type { Pool } from 'pg';
import { AppError } from '../../model/errors.ts';
import { type Client, transaction } from './pool.ts';

/** A query that is too large for its time limit is an error of the caller, not an outage of the store. All of its statements see the same rows. */
export async function inTime<R>(pool: Pool, limitMs: number, work: (client: Client) => Promise<R>): Promise<R> {
  return transaction(pool, async (client) => {
    // What is counted apart is sorted: for these few questions in memory, not on the disk.
    await client.query(
      `set transaction isolation level repeatable read, read only; set local statement_timeout = ${Math.round(limitMs)}; set local work_mem = '64MB'`,
    );
    try {
      return await work(client);
    } catch (error) {
      if ((error as { code?: string }).code !== '57014') throw error;
      throw new AppError('query_too_slow', undefined, { cause: error });
    }
  });
}
