// The measured process: a sandbox of its own, which tells its parent where it listens and, when asked, how much CPU it has used.
import { startSandbox } from '../../src/sandbox/server.ts';

const sandbox = await startSandbox();
process.on('message', () => process.send?.({ cpu: process.cpuUsage(), rssBytes: process.memoryUsage.rss() }));
process.on('disconnect', () => process.exit(0));
process.send?.({ origin: sandbox.origin });
