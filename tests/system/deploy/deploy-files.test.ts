// The files under deploy/, read by the parsers and linters of those who will read them: compose's schema, Kubernetes' and KEDA's, systemd, promtool, a
// Dockerfile linter. What they say about Windrow (settings, metrics, commands, ports) is compared with Windrow itself.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Ajv } from 'ajv';
import { validate as lintDockerfile } from 'dockerfile-utils';
import { CORE_SCHEMA, loadAll, mergeTag } from 'js-yaml';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { afterAll, expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { SETTINGS } from '../../../src/config.ts';
import { createCountAccepted } from '../../../src/observe/metrics/accepted.ts';
import { createMetrics } from '../../../src/observe/metrics/api.ts';
import { createOrchestratorMetrics } from '../../../src/observe/metrics/orchestrator.ts';
import { createMetricRegistry } from '../../../src/observe/metrics/registry.ts';
import { createWorkerMetrics } from '../../../src/observe/metrics/worker.ts';

const DEPLOY = resolve(import.meta.dirname, '../../../deploy');
const textOf = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: documents of other programs
type Document = any;
const documentsOf = (path: string): Document[] =>
  loadAll(textOf(path), { schema: CORE_SCHEMA.withTags(mergeTag) }) as Document[];

const folder = mkdtempSync(join(tmpdir(), 'windrow-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MODELS: Record<string, Document> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'keda.sh/v1alpha1': keda,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
};

const KNOWN_SETTINGS = new Set(
  Object.values(SETTINGS).flatMap(({ env, alsoEnv, file }: { env: string; alsoEnv?: string; file?: string }) => [
    env,
    ...(alsoEnv ? [alsoEnv] : []),
    ...(file ? [file] : []),
  ]),
);

function metricNames(): Set<string> {
  const registry = createMetricRegistry({ version: 'test' });
  createCountAccepted(registry);
  createOrchestratorMetrics(registry);
  createWorkerMetrics(registry).read({ busy: () => 0, unsent: () => 0, web: () => ({}), proxies: () => [] });
  const api = createMetrics(registry);
  const nothing = async () => [];
  api.watchQueue(nothing);
  api.watchWorkers(nothing);
  api.watchSources(nothing);
  api.watchDeadLetters(nothing);
  api.watchParts(async () => ({}));
  api.watchDeliveries(async () => ({ outcomes: {}, waiting: 0 }));
  return new Set(
    registry.getMetricsAsArray().flatMap(({ name }) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]),
  );
}

test('the compose file is valid by the schema of compose', () => {
  // Its `$schema` is spelled in a way that Ajv does not know.
  const { $schema, ...schema } = JSON.parse(
    readFileSync(resolve(DEPLOY, '../node_modules/dclint/schemas/compose.schema.json'), 'utf8'),
  );
  expect($schema).toContain('draft-07');
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const [compose] = documentsOf('compose.yml');
  expect(validate(compose), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
  const { services, volumes } = compose;
  expect(Object.keys(services).sort()).toEqual(
    ['api', 'browser-worker', 'grafana', 'orchestrator', 'postgres', 'prometheus', 'redis', 'worker'].sort(),
  );
  for (const [name, service] of Object.entries(services) as [string, Document][]) {
    expect(service.container_name, `${name} could not be scaled`).toBeUndefined();
    expect(service.image).not.toMatch(/^(?!windrow).*(:latest|^[^:]+)$/);
    for (const other of Object.keys(service.depends_on ?? {})) expect(services[other]?.healthcheck).toBeDefined();
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const volume of service.volumes ?? []) {
      const source = volume.split(':')[0];
      if (!source.startsWith('.')) expect(volumes).toHaveProperty(source);
      else expect(readdirSync(join(DEPLOY, source)).length).toBeGreaterThan(0);
    }
    if (!service.image.startsWith('windrow')) continue;
    expect(COMMANDS).toHaveProperty(service.command[0]);
    for (const setting of Object.keys(service.environment)) expect(KNOWN_SETTINGS).toContain(setting);
  }
  for (const name of ['worker', 'browser-worker']) {
    expect(services[name].environment.DATABASE_URL, 'a worker has no way to the database').toBeUndefined();
    expect(services[name].env_file.map(({ path }: { path: string }) => path)).toEqual(['settings.env']);
  }
});

test('every variable that compose wants is in .env.example', () => {
  const wanted = [...textOf('compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
  const given = [...textOf('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  expect([...new Set(wanted)].filter((name) => !given.includes(name))).toEqual([]);
  expect(given.filter((name) => !wanted.includes(name))).toEqual([]);
});

test('the Kubernetes objects are valid by the schemas of Kubernetes and KEDA', async () => {
  const files = readdirSync(join(DEPLOY, 'kubernetes')).sort();
  const objects = files.flatMap((file) => documentsOf(`kubernetes/${file}`).map((document) => ({ file, document })));
  const [kustomization] = objects.filter(({ document }) => document.kind === 'Kustomization');
  expect([...kustomization!.document.resources, 'kustomization.yaml', 'secret.example.yaml'].sort()).toEqual(files);
  const checked = objects.filter((one) => one !== kustomization);
  for (const { file, document } of checked) {
    const { apiVersion, kind } = document;
    const Model = MODELS[apiVersion]?.[kind];
    expect(Model, `${file}: ${apiVersion} ${kind}`).toBeDefined();
    expect(() => new Model(document).validate(), `${file}: ${kind}`).not.toThrow();
  }
  const named = (kind: string) => checked.filter(({ document }) => document.kind === kind).map((one) => one.document);
  const deployments = named('Deployment');
  expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual([
    'windrow-api',
    'windrow-browser-worker',
    'windrow-orchestrator',
    'windrow-worker',
  ]);
  for (const { metadata, spec } of deployments) {
    const [container] = spec.template.spec.containers;
    expect(COMMANDS).toHaveProperty(container.args[0]);
    for (const { name } of container.env) expect(KNOWN_SETTINGS).toContain(name);
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    expect(Object.keys(container)).toEqual(
      expect.arrayContaining(['startupProbe', 'livenessProbe', 'readinessProbe', 'resources', 'securityContext']),
    );
    const budget = named('PodDisruptionBudget').find((one) => one.metadata.name === metadata.name);
    expect(budget?.spec.selector).toEqual(spec.selector);
    const scalers = [...named('ScaledObject'), ...named('HorizontalPodAutoscaler')];
    const scaler = scalers.find((one) => one.spec.scaleTargetRef.name === metadata.name);
    // Both would set the number of pods.
    if (scaler) expect(spec.replicas, metadata.name).toBeUndefined();
  }
});

test('the units of systemd are what systemd accepts', () => {
  const systemd = process.env.TEST_SYSTEMD!;
  const units = readdirSync(join(DEPLOY, 'systemd')).filter((name) => name.startsWith('windrow-'));
  // systemd wants the program to be there.
  const program = join(folder, 'windrow');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  for (const unit of units)
    writeFileSync(join(folder, unit), textOf(`systemd/${unit}`).replace('/usr/bin/windrow', program));
  const said = execFileSync(
    systemd,
    ['verify', '--man=no', '--recursive-errors=no', ...units.map((unit) => join(folder, unit.replace('@.', '@1.')))],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` } },
  );
  expect(said).toBe('');
  for (const unit of units.filter((name) => name.endsWith('.service'))) {
    const [, command] = /^ExecStart=\/usr\/bin\/windrow (\w+)$/m.exec(textOf(`systemd/${unit}`)) ?? [];
    expect(COMMANDS).toHaveProperty(command!);
  }
  const [, unset] = /^UnsetEnvironment=(.+)$/m.exec(textOf('systemd/windrow-worker@.service'))!;
  for (const name of unset!.split(' ')) expect(KNOWN_SETTINGS).toContain(name);
  expect(unset, 'a worker has no way to the database').toContain('DATABASE_URL');
  for (const [, name] of textOf('systemd/windrow.env').matchAll(/^(\w+)=/gm)) expect(KNOWN_SETTINGS).toContain(name);
});

test('the Dockerfile has no finding of its linter and copies what is there', () => {
  const text = textOf('Dockerfile');
  expect(lintDockerfile(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  const allowed = readFileSync(join(DEPLOY, '../.dockerignore'), 'utf8').match(/(?<=^!).+$/gm) ?? [];
  for (const [, sources] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
    for (const source of sources!.split(' ')) expect(allowed).toContain(source.split('/')[0]);
  for (const [, name] of text.matchAll(/^(?:ENV| {4})([A-Z_]+)=/gm))
    expect(new Set([...KNOWN_SETTINGS, 'NODE_ENV'])).toContain(name);
});

test('Prometheus accepts its configuration, and every alert fires on what it is for', () => {
  const promtool = process.env.TEST_PROMTOOL!;
  mkdirSync(join(folder, 'prometheus'));
  for (const file of readdirSync(join(DEPLOY, 'prometheus')))
    copyFileSync(join(DEPLOY, 'prometheus', file), join(folder, 'prometheus', file));
  const key = join(folder, 'api-key');
  writeFileSync(key, 'a-key-for-tests');
  const config = join(folder, 'prometheus/prometheus.yml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('/etc/prometheus/api-key', key));
  const run = (...args: string[]) => execFileSync(promtool, args, { encoding: 'utf8', stdio: 'pipe' });
  expect(run('check', 'config', config)).toContain('SUCCESS');
  expect(run('test', 'rules', join(folder, 'prometheus/alerts.test.yml'))).toContain('SUCCESS');
  const alerts = [...textOf('prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  for (const alert of alerts) expect(textOf('prometheus/alerts.test.yml')).toContain(`name: ${alert} fires`);
});

test('alerts, dashboard and autoscaling name only metrics that there are', () => {
  const known = metricNames();
  for (const file of ['prometheus/alerts.yml', 'grafana/dashboards/windrow.json', 'kubernetes/autoscaling.yaml']) {
    const named = new Set(textOf(file).match(/\b(?:windrow|nodejs|process)_[a-z0-9_]+/g));
    expect(
      [...named].filter((name) => !known.has(name)),
      file,
    ).toEqual([]);
    expect(named.size).toBeGreaterThan(1);
  }
});

test('the panels of the dashboard have a title, a sentence and a query', () => {
  const { panels } = JSON.parse(textOf('grafana/dashboards/windrow.json')) as { panels: Document[] };
  expect(panels.length).toBeGreaterThan(10);
  for (const { title, description, targets } of panels) {
    expect(title).toMatch(/\S/);
    expect(description).toMatch(/\.$/);
    expect(targets.length).toBeGreaterThan(0);
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
