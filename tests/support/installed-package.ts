// The package as a stranger gets it: packed here, installed without development dependencies into an empty folder elsewhere. Versions are those of our lock
// file, so that what somebody else publishes today cannot change the outcome.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Ended, type RunOptions, runProgram } from './windrow.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const INSTALL_MS = 300_000;

export interface InstalledPackage {
  /** Where it is installed: a project of somebody else. */
  folder: string;
  /** What is in the package, by path from its root. */
  files: string[];
  manifest: Manifest;
  run(program: string, args: string[], options?: Omit<RunOptions, 'cwd' | 'env'>): Promise<Ended>;
  remove(): Promise<void>;
}

interface Manifest {
  name: string;
  version: string;
  bin: Record<string, string>;
  exports: Record<string, unknown>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

interface Packed {
  filename: string;
  files: { path: string }[];
}

type Locked = { dev?: boolean } & Record<string, unknown>;

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;

export async function installPackage(): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'windrow-package-'));
  // npm needs its own settings, such as the registry; Windrow's stay behind.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_package_|npm_lifecycle_)/.test(name)),
  );
  const run: InstalledPackage['run'] = (program, args, options) =>
    runProgram(program, args, { ...options, cwd: folder, env, timeoutMs: INSTALL_MS });
  const npm = async (args: string[], cwd: string): Promise<Ended> => {
    const ended = await runProgram('npm', args, { cwd, env, timeoutMs: INSTALL_MS });
    if (ended.code !== 0)
      throw new Error(`npm ${args.join(' ')} ended with ${ended.code}:\n${ended.stderr}${ended.stdout}`);
    return ended;
  };

  const packed = packedOf((await npm(['pack', '--json', '--pack-destination', folder], ROOT)).stdout);
  const manifest = await readJson<Manifest>(join(ROOT, 'package.json'));
  const project = {
    name: 'stranger',
    version: '1.0.0',
    type: 'module',
    dependencies: { windrow: `file:${packed.filename}` },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(project));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(await lockFor(project, manifest, packed.filename)));
  await npm(['ci', '--omit=dev', '--prefer-offline'], folder);
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    manifest,
    run,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** npm answers with a list, or with an object by name, depending on its age. */
function packedOf(stdout: string): Packed {
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, Packed>);
  return packed!;
}

async function lockFor(
  project: object,
  { name, version, bin, dependencies, optionalDependencies }: Manifest,
  file: string,
) {
  const ours = await readJson<{ packages: Record<string, Locked> }>(join(ROOT, 'package-lock.json'));
  const needed = Object.entries(ours.packages).filter(([path, locked]) => path !== '' && !locked.dev && !locked.link);
  return {
    name: 'stranger',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': project,
      ...Object.fromEntries(needed),
      [`node_modules/${name}`]: { version, resolved: `file:${file}`, bin, dependencies, optionalDependencies },
    },
  };
}
