// One function for every request, typed by the routes of the OpenAPI document: `call('GET /runs/{run_id}', { path: { run_id } })`. It is the client that programs
// use, asking the server that the page came from. A request is made once: what is watched is asked again anyway (live/answers.ts), and people press again.
import { ApiError } from '../../client/errors.ts';
import { type Connection, createConnection } from '../../client/request.ts';
import type { Args, Reply, RouteName } from '../../client/routes.ts';

export { addressOf, type Given, type Query, type Reply, type RouteName } from '../../client/routes.ts';

/** Told when the server says that nobody is signed in (any more). */
const onSignedOut = new Set<() => void>();

export function whenSignedOut(listener: () => void): () => void {
  onSignedOut.add(listener);
  return () => onSignedOut.delete(listener);
}

let connection: Connection | undefined;

export async function call<R extends RouteName>(name: R, ...given: Args<R>): Promise<Reply<R>> {
  connection ??= createConnection({ retries: 0 });
  try {
    return await connection.call(name, ...given);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) for (const listener of onSignedOut) listener();
    throw error;
  }
}
