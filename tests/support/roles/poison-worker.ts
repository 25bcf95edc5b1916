// A worker that dies of one page, every time: F12. Otherwise as `windrow worker`, with a source that fetches and extracts nothing.
import { SOURCES } from '../../../src/sources/index.ts';
import { createWeb } from '../../../src/web/web.ts';
import { openRedisWire } from '../../../src/wire/redis.ts';
import { startWorker } from '../../../src/worker/worker.ts';

const { REDIS_URL = '', WEB_HOST_MAP = '', HEARTBEAT_SECONDS, WORKER_CONCURRENCY, POISON = '' } = process.env;
const wire = await openRedisWire({ url: REDIS_URL });
const webs = createWeb({ hostMap: WEB_HOST_MAP, robots: 'off', guard: { allow: ['127.0.0.1'] } });
startWorker({
  name: `poison-${process.pid}`,
  wire,
  lanes: ['http'],
  slots: Number(WORKER_CONCURRENCY),
  sourceOf: (name) => SOURCES.get(name),
  webFor(source, signal) {
    const web = webs.forAttempt({ signal, source: source.name });
    return {
      ...web,
      get(url, request) {
        if (url.includes(POISON)) process.kill(process.pid, 'SIGKILL');
        return web.get(url, request);
      },
    };
  },
  heartbeatMs: Number(HEARTBEAT_SECONDS) * 1_000,
  version: '0',
  log: (level, event, fields) => console.log(JSON.stringify({ level, event, ...fields })),
});
console.log('process.started');
