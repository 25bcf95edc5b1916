// WebSockets in the OpenAPI document, which has no notation for them: the opening GET, with the messages as examples.
const MESSAGE = {
  type: 'job_update',
  job_id: 'job_a1b2c3d4e5f6',
  article_id: 'art_9f86d081884c7d659a2feaa0c55ad015',
  status: 'IN_PROGRESS',
  completed: 5,
  failed: 0,
  total: 10,
};

const KEY_NOTE =
  'With API keys, offer the subprotocols `windrow, key.<key>` (the server selects `windrow`), or pass `?ticket=` from `POST /ws/ticket`. A key in the URL is refused. ' +
  'An update is the latest state of a job in a tick of 50 ms. The final state is always sent. A client that reads too slowly is closed with code 1013. Code 1012 means that the server restarts: connect again. Code 1008 means that the API key was revoked or has expired.';

const TICKET = {
  name: 'ticket',
  in: 'query',
  required: false,
  description: 'From `POST /ws/ticket`. Works once, within 30 seconds.',
  schema: { type: 'string', maxLength: 32 },
};

function upgrade(operationId: string, summary: string, description: string, parameters: object[], example: unknown) {
  return {
    get: {
      operationId,
      tags: ['WebSockets'],
      summary,
      description: `${description} ${KEY_NOTE}`,
      parameters: [...parameters, TICKET],
      responses: {
        101: { description: 'The messages that follow.', content: { 'application/json': { schema: {}, example } } },
        401: { description: 'No valid key or ticket.' },
      },
    },
  };
}

export const SOCKET_PATHS = {
  '/ws': upgrade(
    'watchJobs',
    'Every update (WebSocket)',
    'First the state of the newest 100 running jobs, then every update, also of searches, companies and carts.',
    [
      {
        name: 'batch',
        in: 'query',
        required: false,
        description: '1: all updates of a tick in one frame, as a JSON array.',
        schema: { type: 'string', enum: ['1'] },
      },
    ],
    MESSAGE,
  ),
  '/ws/jobs/{job_id}': upgrade(
    'watchJob',
    "One job's updates (WebSocket)",
    'First the current state, then each update. While nothing of it is being worked on, `waiting` says why, as in `GET /runs/{run_id}`. After the final one the server closes with code 1000. An unknown job is closed with 4404. ' +
      'The `run_id` of a search or of companies and the `job_id` of a cart also work: the counts are tasks, `article_id` is null, and the details are at `GET /jobs/scrape/{run_id}` and `GET /results/{job_id}`.',
    [{ name: 'job_id', in: 'path', required: true, schema: { type: 'string' } }],
    MESSAGE,
  ),
};
