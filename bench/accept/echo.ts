import Fastify from 'fastify';

const app = Fastify({ logger: false });
app.get('/livez', async () => 'alive');
app.post('/jobs/submit', async (request, reply) => reply.code(201).send(request.body));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
