// `npm run soak -- --minutes 20 --seed 7`: breaks a fleet of separate processes at random under mixed load, and says what was lost, doubled or stuck. Ends with
// 1 when anything was. The same seed gives the same loads and faults.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findOrInstall } from '../support/find-servers.ts';
import { findings, tableOf } from './report.ts';
import { soak } from './soak.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '20' }, seed: { type: 'string', default: '7' } },
  });
  const [seconds, seed] = [Number(values.minutes) * 60, Number(values.seed)];
  if (!(seconds > 0) || !Number.isInteger(seed)) {
    say('Usage: npm run soak -- --minutes 20 --seed 7');
    return 2;
  }
  const tools = findOrInstall(['postgres', 'redis'], say);
  process.env.TEST_POSTGRES_BIN = dirname(tools.postgres!);
  process.env.TEST_REDIS_SERVER = tools.redis!;
  const folder = mkdtempSync(join(tmpdir(), `windrow-soak-${seed}-`));
  say(`soak of ${values.minutes} minutes with seed ${seed}; logs in ${folder}`);
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort());
  const report = await soak({ seconds, seed, folder, say, signal: stopped.signal });
  if (report === undefined) {
    // Its loads would go on asking for a while.
    say('stopped');
    process.exit(130);
  }
  const table = tableOf(report);
  for (const line of table) say(line);
  const found = findings(report);
  writeFileSync(join(folder, 'report.txt'), [...table, '', ...found].join('\n'));
  if (found.length === 0) {
    say(`passed with seed ${seed}`);
    rmSync(folder, { recursive: true, force: true });
    return 0;
  }
  say(
    `${found.length} findings with seed ${seed}: all of them in ${join(folder, 'report.txt')}, the logs of every process in ${join(folder, 'logs')}`,
  );
  say(`again: npm run soak -- --minutes ${values.minutes} --seed ${seed}`);
  return 1;
}
