// What accepting costs when nothing is done: Fastify that sends the body back, two processes on one port.
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

const app = Fastify({ logger: false });
app.post('/cart', async (request, reply) => reply.code(202).send(request.body));
await app.ready();
app.server.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4_096, reusePort: true }, () =>
  console.log('process.started', (app.server.address() as AddressInfo).port),
);
process.on('SIGTERM', () => process.exit(0));
