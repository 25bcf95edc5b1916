// The package from outside: what is in it, and whether it does without this repository what the README says.
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../conformance/world.ts';
import { type InstalledPackage, installPackage } from '../support/installed-package.ts';
import { freePort, freshDatabase, startRedis } from '../support/own-servers.ts';
import { Roles } from '../support/processes.ts';
import { readmeProgram } from '../support/readers/fences.ts';
import { runProgram } from '../support/windrow.ts';
import { openOwnSourceWorld } from '../support/worlds/own-source.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const LIMIT_MS = 120_000;

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
}, 600_000);
afterAll(() => installed?.remove());

/** As in `import … from 'windrow/extract'`; without the ones that are no code. */
const entriesOf = ({ manifest }: InstalledPackage): string[] =>
  Object.keys(manifest.exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => join(manifest.name, entry));

test('the package holds compiled code and what it reads, and nothing of the workshop', () => {
  const { files } = installed;
  expect(files.filter((path) => !path.startsWith('dist/')).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE',
    'README.md',
    'bin/windrow.mjs',
    'package.json',
  ]);
  expect(files.filter((path) => /\.test[.-]|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['dist/cli/main.js', 'dist/dashboard/built/index.html']));
  expect(files.length).toBeLessThan(1_500);
});

test('every file that is started by its name is there', async () => {
  const started = await Promise.all(
    installed.files
      .filter((path) => path.endsWith('.js'))
      .map(async (path) => {
        const text = await readFile(join(installed.folder, 'node_modules/windrow', path), 'utf8');
        return [...text.matchAll(/new URL\(`(\.[^`$]+)\$\{extname\(import\.meta\.url\)\}`/g)].map((match) =>
          join(path, '..', `${match[1]}.js`),
        );
      }),
  );
  expect(started.flat().length).toBeGreaterThan(2);
  expect(installed.files).toEqual(expect.arrayContaining(started.flat()));
});

test('`npx windrow version` tells the version', async () => {
  const { code, stdout } = await installed.run('npx', ['windrow', 'version', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ version: installed.manifest.version, node: process.versions.node });
});

test('`npx windrow demo` starts a database, an API and a worker, and scrapes', async () => {
  const { code, stdout, stderr } = await installed.run('npx', ['windrow', 'demo', '--json']);
  expect(code, stderr).toBe(0);
  const { results } = JSON.parse(stdout) as { results: unknown[] };
  expect(results.length).toBeGreaterThan(40);
});

test('the lines of the README print jobs', async () => {
  const { program } = readmeProgram();
  await writeFile(join(installed.folder, 'readme.mjs'), program);
  const { code, stdout, stderr } = await installed.run(process.execPath, ['readme.mjs']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/site.*title.*company.*location.*salaryMin/);
  expect(stdout.match(/'(?:indeed|linkedin)'.*Registered Nurse/g)).toHaveLength(6);
});

test('a program of somebody else embeds the engine', async () => {
  const program = `
    import { createWindrow } from 'windrow';
    const windrow = await createWindrow({ home: 'embedded', sandbox: true });
    const run = await windrow.submit({ kind: 'articles', urls: ['https://orchard-review.example/news/story-1'] });
    for await (const state of windrow.follow(run));
    console.log((await windrow.results(run).toArray()).length);
    await windrow.close();`;
  await writeFile(join(installed.folder, 'engine.mjs'), program);
  expect(await installed.run(process.execPath, ['engine.mjs'])).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
});

test('a private source in windrow.config.ts is scraped through CLI, HTTP API and a separate worker', async () => {
  const [world, redis, database, port] = await Promise.all([
    openOwnSourceWorld(),
    startRedis(),
    freshDatabase(),
    freePort(),
  ]);
  const roles = new Roles();
  try {
    await copyFile(join(world.folder, 'windrow.config.ts'), join(installed.folder, 'windrow.config.ts'));
    const script = join(installed.folder, 'node_modules/windrow/bin/windrow.mjs');
    const web = { WEB_HOST_MAP: world.hostMap, WEB_ROBOTS: 'off' };
    const scraped = await runProgram(process.execPath, [script, 'scrape', 'acme-jobs', 'team=docks', '--json'], {
      cwd: installed.folder,
      env: { ...process.env, ...web },
      timeoutMs: LIMIT_MS,
    });
    expect(scraped.code, scraped.stderr).toBe(0);
    expect(JSON.parse(scraped.stdout)).toMatchObject({ source: 'acme-jobs', found: 2, error: null });

    const origin = `http://127.0.0.1:${port}`;
    const env = { ...web, PORT: String(port), DATABASE_URL: database.url, REDIS_URL: redis.url };
    const start = (role: string) => roles.start([role], { env, cwd: installed.folder, script });
    await start('api').waitForHttp(`${origin}/livez`, LIMIT_MS);
    for (const role of ['orchestrator', 'worker']) await start(role).waitForLine(/process\.started/, LIMIT_MS);
    const answer = await fetch(`${origin}/jobs/scrape`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ site_name: 'acme-jobs' }),
    });
    const { data } = (await answer.json()) as { data: { run_id: string } };
    const runOf = async () => {
      const read = await fetch(`${origin}/jobs/scrape/${data.run_id}`);
      return ((await read.json()) as { data: { status: string; jobs: { title: string }[] } }).data;
    };
    await until('the run has succeeded', async () => (await runOf()).status === 'succeeded', LIMIT_MS);
    expect((await runOf()).jobs.map(({ title }) => title).sort()).toEqual(['Dock Planner', 'Welder']);
  } finally {
    await roles.reap();
    await Promise.all([world.close(), redis.stop(), database.drop()]);
  }
});

test('a program of somebody else can import every entry, with its types', async () => {
  const entries = entriesOf(installed);
  expect(entries).toContain('windrow/extract');
  await writeFile(
    join(installed.folder, 'program.ts'),
    `${entries.map((entry, i) => `import * as entry${i} from '${entry}';`).join('\n')}
import { experienceYears, extractArticle, parseDate, parseLocation, parsePrice, parseSalary, type Salary } from 'windrow/extract';

const salary: Salary | null = parseSalary('$120k - $150k a year', { country: 'US' });
const years: { min: number | null } | null = experienceYears('At least 3 years of experience');
// @ts-expect-error Types have arrived: a title is text.
const wrong: number = extractArticle('<h1>x</h1>').title;
console.log(
  JSON.stringify({
    entries: [${entries.map((_, i) => `entry${i}`).join(', ')}].every((entry) => Object.keys(entry).length > 0),
    salary: [salary?.min, salary?.max, salary?.currency, salary?.interval],
    years: years?.min,
    price: parsePrice('1.299,00 €').amount,
    country: parseLocation('Berlin, Germany').places[0]?.country,
    date: parseDate('March 3, 2024'),
    wrong: typeof wrong,
  }),
);
`,
  );
  await writeFile(
    join(installed.folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2024',
        strict: true,
        noEmit: true,
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      files: ['program.ts'],
    }),
  );
  const checked = await installed.run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')]);
  expect(checked.stdout).toBe('');
  const { stdout, stderr } = await installed.run(process.execPath, ['program.ts']);
  expect(JSON.parse(stdout || '{}'), stderr).toEqual({
    entries: true,
    salary: [120_000, 150_000, 'USD', 'year'],
    years: 3,
    price: '1299.00',
    country: 'DE',
    date: '2024-03-03',
    wrong: 'object',
  });
});
