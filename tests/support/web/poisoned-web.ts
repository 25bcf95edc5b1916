// The web as a worker has it, but the process dies of any address with POISON in it.
import { createWeb } from '../../../src/web/web.ts';
import type { WorkerOptions } from '../../../src/worker/worker.ts';

export function poisonedWeb(): WorkerOptions['webFor'] {
  const { WEB_HOST_MAP = '', POISON = '' } = process.env;
  const webs = createWeb({ hostMap: WEB_HOST_MAP, robots: 'off', guard: { allow: ['127.0.0.1'] } });
  return (source, signal) => {
    const web = webs.forAttempt({ signal, source: source.name });
    return {
      ...web,
      get(url, request) {
        if (url.includes(POISON)) process.kill(process.pid, 'SIGKILL');
        return web.get(url, request);
      },
    };
  };
}
