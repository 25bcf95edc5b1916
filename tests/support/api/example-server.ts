// A server that answers every operation of the OpenAPI document with its example, and remembers which were asked for. For what a client does with an answer;
// whether the answers are true is tested against the real one.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiDocument } from '../../../tools/dashboard/api-document.ts';

interface Media {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, Media> }>;
}
interface Known extends Operation {
  method: string;
  pattern: RegExp;
}

/** Those with fewer parameters first: /runs/lost is no id where /runs/lost is a path. */
const knownOperations = (): Known[] => {
  const { paths } = apiDocument() as unknown as { paths: Record<string, Record<string, Operation>> };
  const byParameters = Object.entries(paths).toSorted(([a], [b]) => a.split('{').length - b.split('{').length);
  return byParameters.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );
};

export interface ExampleServer {
  url: string;
  operations: readonly string[];
  /** Ids of the operations asked for since it was last called. */
  asked(): string[];
  close(): Promise<void>;
}

/** `answer`: another one than the example, by operation and number of the call. */
export async function startExampleServer(
  answer: (id: string, call: number, example: unknown) => unknown = (_id, _call, example) => example,
): Promise<ExampleServer> {
  const known = knownOperations();
  const asked: string[] = [];
  const find = ({ method, url }: IncomingMessage): Known | undefined => {
    const { pathname } = new URL(url!, 'http://localhost');
    return known.find((one) => one.method === method && one.pattern.test(pathname));
  };
  const reply = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    const operation = find(request);
    if (!operation) {
      response.writeHead(404).end(`${request.method} ${request.url} is not in the document`);
      return;
    }
    const call = asked.filter((id) => id === operation.operationId).length;
    asked.push(operation.operationId);
    // Of several the one for work that goes on: the others are for dry runs and for waiting.
    const [status, { content = {} }] = Object.entries(operation.responses).findLast(([code]) => code.startsWith('2'))!;
    const type =
      Object.keys(content).find((one) => request.headers.accept === one) ?? Object.keys(content)[0] ?? 'text/plain';
    const media = content[type];
    const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
    const body = answer(operation.operationId, call, example);
    response.writeHead(Number(status), { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer(reply);
  server.on('upgrade', (request, socket) => {
    asked.push(find(request)?.operationId ?? String(request.url));
    socket.destroy();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    operations: known.map((one) => one.operationId),
    asked: () => asked.splice(0),
    close: () => new Promise((done) => server.close(() => done())),
  };
}
