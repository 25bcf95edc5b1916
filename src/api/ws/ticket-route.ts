// How a page opens a WebSocket: with its key it gets a ticket here, which it may put into the URL.
import { z } from 'zod';
import { type Area, json, route } from '../http/route.ts';
import { TICKET_SECONDS } from './tickets.ts';

export const socketTicket: Area = ({ tickets }) => [
  route({
    method: 'POST',
    path: '/ws/ticket',
    operationId: 'createSocketTicket',
    scope: 'read',
    tag: 'WebSockets',
    summary: 'Get a single-use ticket for opening a WebSocket',
    replies: {
      201: json(
        'Pass it as `?ticket=`. It works once.',
        z.object({ ticket: z.string(), expires_in_seconds: z.number().int() }),
        { ticket: 'dQw4w9WgXcQmi2k5c0g4fzyo82mzQ6v4', expires_in_seconds: TICKET_SECONDS },
      ),
    },
    async handle({ keyId }, reply) {
      reply.code(201);
      return { ticket: await tickets.issue(keyId), expires_in_seconds: TICKET_SECONDS };
    },
  }),
];
