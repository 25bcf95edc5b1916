// The maze as a process of its own, so that its CPU is not ours.
import { startSandbox } from '../../src/sandbox/server.ts';
import { MAZE_FAULTS } from '../../tests/support/worlds/crawl-verdict.ts';

const faults = process.argv.includes('faults') ? { faults: MAZE_FAULTS } : {};
const { origin } = await startSandbox(faults);
process.send?.({ origin });
process.once('disconnect', () => process.exit());
