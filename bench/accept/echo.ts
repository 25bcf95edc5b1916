import Fastify from 'fastify';
import { cpuSeconds } from '../peers.ts';

const app = Fastify({ logger: false });
app.post('/jobs/submit', async (request, reply) => reply.code(201).send(request.body));
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(app.addresses()[0]!.port);
const before = cpuSeconds();
process.on('SIGTERM', () => {
  console.log(cpuSeconds() - before);
  process.exit(0);
});
