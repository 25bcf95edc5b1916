// The process in which a worker runs suspect tasks: with the web layer of the worker, without wire and store. Its configuration comes from the worker.
import type { Config } from '../../config.ts';
import { createLog } from '../../observe/log.ts';
import { answerOrders, firstOrder } from '../../worker/isolated.ts';
import { attemptFor } from '../attempt.ts';
import { loadConfiguredModules } from '../modules.ts';
import { openPace } from '../pace.ts';
import { openReading } from '../reading/reading.ts';
import { openWeb } from '../web.ts';
import { exitOnUncaughtError, live } from './lifetime.ts';
import { processName } from './name.ts';
import { openTracing } from './tracing.ts';

const config = (await firstOrder()) as Config;
const log = createLog({ level: config.logLevel, to: 'stdout' });
exitOnUncaughtError(log);
const code = await live(log, async (life) => {
  const modules = await loadConfiguredModules(config, log);
  const trace = await openTracing({ config, log, life, name: processName('suspects') });
  const webs = await openWeb({ config, log, life, trace }, await openPace({ config, log, life }));
  const reading = openReading(config, modules);
  life.own('reading', () => reading.close());
  answerOrders({
    runSource: reading.run,
    webFor: (...of) => webs.forAttempt(attemptFor(...of)),
    keepsEvidence: config.evidenceStore !== 'off',
    onOrphaned: () => life.finish(),
  });
});
process.exit(code);
