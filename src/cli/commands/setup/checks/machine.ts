// Checks of the machine: Node, disk, file descriptors, browser, port.
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../../../config.ts';
import { FULL_BYTES, NEARLY_FULL_BYTES, sizeText } from '../../../../observe/disk.ts';
import type { ServerFile } from '../../../../store/embedded/home.ts';
import { freeBytes } from '../../../../store/embedded/space.ts';
import { findBrowser, NO_BROWSER } from '../../../../web/browser/find-browser.ts';
import { portProblem } from '../../../process/port.ts';
import { type Finding, fail, ok, warn } from './check.ts';

/** bin/windrow.mjs has refused a Node that is too old. */
export const checkNode = (): Finding => ok('node', `Node ${process.versions.node}`);

export async function checkDisk(config: Config): Promise<Finding> {
  const home = resolve(config.home);
  await access(await existing(home), constants.W_OK);
  // The folder of the embedded server may be a link to another disk.
  const free = Math.min(...(await Promise.all([home, join(home, 'postgres')].map(freeBytes))));
  const detail = `${sizeText(free)} free for ${config.home}`;
  if (free < FULL_BYTES)
    return fail(
      'disk',
      `${detail}: full. ${config.databaseUrl ? 'Archive and cache are not written' : 'Nothing new is accepted'} until some space is freed`,
    );
  return free < NEARLY_FULL_BYTES
    ? warn('disk', `${detail}, less than ${sizeText(NEARLY_FULL_BYTES)}. Free some space before it is full`)
    : ok('disk', detail);
}

/** The folder itself, or the nearest one above it that is there. */
async function existing(folder: string): Promise<string> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Each fetch needs a socket, and some for everything else. */
export async function checkFileDescriptors(config: Config): Promise<Finding> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  if (limit === undefined) return ok('file descriptors', 'the limit cannot be read on this system');
  const needed = config.workerConcurrency * 2 + 256;
  const detail = `${limit} allowed, about ${needed} needed for ${config.workerConcurrency} concurrent tasks`;
  return limit !== 'unlimited' && Number(limit) < needed
    ? warn('file descriptors', `${detail}. Raise the limit with ulimit -n`)
    : ok('file descriptors', detail);
}

/** Only the browser lane needs one, so its absence is not a failure. */
export async function checkBrowser({ chromiumPath, browserDriver }: Config): Promise<Finding> {
  const path = await findBrowser({ executablePath: chromiumPath, driver: browserDriver });
  if (path !== null) return ok('browser', path);
  if (chromiumPath !== undefined) return warn('browser', `CHROMIUM_PATH names no executable: ${chromiumPath}`);
  return ok('browser', `${NO_BROWSER}. Only sources of the browser lane need one`);
}

export async function checkPort(config: Config, running: ServerFile | undefined): Promise<Finding> {
  const where = `${config.host}:${config.port}`;
  if (config.port === 0) return ok('port', 'any free port');
  const problem = await portProblem(config);
  if (problem === null) return ok('port', `${where} is free`);
  if (problem.code !== 'EADDRINUSE') return fail('port', `cannot listen on ${where}: ${problem.message}`);
  if (running?.api && new URL(running.api).port === String(config.port))
    return ok('port', `${where} is used by this Windrow (process ${running.pid})`);
  return fail('port', `${where} is in use by another program. Choose another port with --port or PORT`);
}
