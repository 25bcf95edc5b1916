// The API of a Windrow server from a program, in browsers and in Node. Routes are named as in the reference: `client.call('GET /runs/{run_id}', …)`.
import { type FollowOptions, followRun, type RunState } from './follow.ts';
import { type ListName, type Row, rowsOf } from './items.ts';
import { type Connection, type ConnectionOptions, createConnection } from './request.ts';
import type { Args, Reply, RouteName } from './routes.ts';

export interface Client extends Pick<Connection, 'stream' | 'address'> {
  /** One request. It is sent again where that is safe, after what `Retry-After` says. */
  call<R extends RouteName>(name: R, ...given: Args<R>): Promise<Reply<R>>;
  /** All rows of a list, page after page: `for await (const posting of client.rows('GET /postings', …))`. */
  rows<R extends ListName>(name: R, ...given: Args<R>): AsyncGenerator<Row<R>, void, undefined>;
  runs: {
    /** The state of a run now, and every change until it ends. */
    follow(runId: string, options?: FollowOptions): AsyncGenerator<RunState, RunState, undefined>;
    /** Waits until a run ends. */
    wait(runId: string, options?: FollowOptions): Promise<Reply<'GET /runs/{run_id}'>>;
  };
}

export function createClient(options: ConnectionOptions = {}): Client {
  const connection = createConnection(options);
  const follow = (runId: string, more?: FollowOptions) => followRun(connection, runId, more);
  return {
    call: connection.call,
    stream: connection.stream,
    address: connection.address,
    rows: (name, ...given) => rowsOf(connection, name, ...given),
    runs: {
      follow,
      async wait(runId, more) {
        for await (const _ of follow(runId, more));
        return connection.call('GET /runs/{run_id}', {
          path: { run_id: runId },
          ...(more?.signal ? { signal: more.signal } : {}),
        });
      },
    },
  };
}
