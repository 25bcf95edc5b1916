// `npm run audit`: known advisories for the packages that an installation gets. A command of its own, run by `npm run release`, and no part of the tests:
// an advisory that is published overnight, or a registry that is away, must not fail a change that has nothing to do with it.
import { spawnSync } from 'node:child_process';
import { verdictOf } from './audit/verdict.ts';

const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
});
if (error) throw error;
const { outcome, lines } = verdictOf(stdout);
for (const line of lines) console.log(`audit: ${line}`);
process.exitCode = outcome === 'advisories' ? 1 : 0;
