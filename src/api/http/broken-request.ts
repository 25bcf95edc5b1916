// Answers what never became a request: broken HTTP, headers too large, a request not finished in time. There is no reply object then, only the socket.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../model/errors.ts';
import { asRequestError, PROBLEM_TYPE, problemOf } from './problem.ts';

export function answerBrokenRequest(thrown: Error & { code?: string }, socket: Socket, requestId: string): void {
  // The client is gone: nothing can be sent.
  if (thrown.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = asRequestError(thrown);
  const error = known.code === 'internal' ? new AppError('bad_request', undefined, { cause: thrown }) : known;
  const problem = problemOf(error, requestId);
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      `content-type: ${PROBLEM_TYPE}; charset=utf-8`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
