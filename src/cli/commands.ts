// The commands, one line each. A command's file is loaded only when it is the one that runs: a worker never reads the code of the API or the store.
import type { Command } from 'commander';

export interface CommandRow {
  about: string;
  load(): Promise<{ make(): Command | Promise<Command> }>;
}

export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  up: {
    about: 'run API, workers, dashboard and database in one process (same as npm start)',
    load: () => import('./commands/servers/up.ts'),
  },
  demo: { about: 'run a demo on a sandbox web (30 seconds)', load: () => import('./commands/servers/demo.ts') },
  scrape: {
    about: 'scrape pages or job sites without a server',
    load: () => import('./commands/scraping/scrape.ts'),
  },
  submit: {
    about: 'submit articles to a running server (same as articles submit)',
    load: () => import('./commands/scraping/submit.ts'),
  },
  crawl: {
    about: 'crawl a site by its links and sitemaps, on a running server',
    load: () => import('./commands/crawling/crawl.ts'),
  },
  map: { about: 'list the URLs of a site', load: () => import('./commands/crawling/map.ts') },
  search: { about: 'search job boards with a running server', load: () => import('./commands/scraping/search.ts') },
  cart: { about: 'price a cart with a running server', load: () => import('./commands/scraping/cart.ts') },
  runs: { about: 'list, show, follow and cancel runs', load: () => import('./commands/lists/runs.ts') },
  run: { about: 'show a run and its results (same as runs show)', load: () => import('./commands/lists/run.ts') },
  companies: { about: 'add, import, list and scrape companies', load: () => import('./commands/lists/companies.ts') },
  positions: {
    about: 'list open positions of companies',
    load: () => import('./commands/lists/positions.ts'),
  },
  postings: { about: 'list and count stored job postings', load: () => import('./commands/data/postings.ts') },
  articles: { about: 'submit articles, list and count stored ones', load: () => import('./commands/data/articles.ts') },
  products: { about: 'list and count stored products', load: () => import('./commands/data/products.ts') },
  export: {
    about: 'export stored items as CSV, NDJSON, Parquet or XLSX',
    load: () => import('./commands/data/export.ts'),
  },
  analytics: {
    about: 'count postings, and show salaries, companies and prices over time',
    load: () => import('./commands/data/analytics.ts'),
  },
  alerts: {
    about: 'get notified of new postings that match a search',
    load: () => import('./commands/lists/alerts.ts'),
  },
  schedules: { about: 'list and change schedules', load: () => import('./commands/lists/schedules.ts') },
  sources: {
    about: 'show the health of sources, pause or resume a source',
    load: () => import('./commands/lists/sources.ts'),
  },
  workers: { about: 'list workers, drain or resume a worker', load: () => import('./commands/lists/workers.ts') },
  quality: {
    about: 'show how good results were, accept or reject suspect ones',
    load: () => import('./commands/lists/quality.ts'),
  },
  'dead-letters': {
    about: 'show tasks that ran out of attempts and their pages, retry or delete them',
    load: () => import('./commands/dead-letters/dead-letters.ts'),
  },
  evidence: {
    about: 'show the pages that failed attempts saw',
    load: () => import('./commands/dead-letters/evidence.ts'),
  },
  provenance: {
    about: 'show where the fields of stored items came from',
    load: () => import('./commands/lists/provenance.ts'),
  },
  webhooks: { about: 'manage webhooks and their deliveries', load: () => import('./commands/lists/webhooks.ts') },
  keys: { about: 'create, list, revoke and rotate API keys', load: () => import('./commands/lists/keys.ts') },
  trigger: { about: 'run a scheduled task now', load: () => import('./commands/scraping/trigger.ts') },
  cancel: { about: 'cancel a run (same as runs cancel)', load: () => import('./commands/scraping/cancel.ts') },
  replay: {
    about: 'extract archived pages again and compare the results',
    load: () => import('./commands/scraping/replay.ts'),
  },
  api: { about: 'run the HTTP API only', load: () => import('./commands/servers/api.ts') },
  orchestrator: { about: 'run an orchestrator only', load: () => import('./commands/servers/orchestrator.ts') },
  worker: { about: 'run a worker only', load: () => import('./commands/servers/worker.ts') },
  server: {
    about: 'show health, queue, workers and settings of a running server',
    load: () => import('./commands/servers/server.ts'),
  },
  mcp: {
    about: 'serve tools to AI assistants over stdin and stdout (MCP)',
    load: () => import('./commands/servers/mcp.ts'),
  },
  sandbox: {
    about: 'serve a sandbox web with test pages and faults',
    load: () => import('./commands/servers/sandbox.ts'),
  },
  config: {
    about: 'show all settings and where each value comes from',
    load: () => import('./commands/setup/config.ts'),
  },
  probe: {
    about: 'ask the process on this machine whether it is ready',
    load: () => import('./commands/servers/probe.ts'),
  },
  migrate: { about: 'apply database migrations', load: () => import('./commands/servers/migrate.ts') },
  backup: {
    about: 'write everything in the database to a file',
    load: () => import('./commands/servers/backup.ts'),
  },
  restore: {
    about: 'put a backup into an empty database',
    load: () => import('./commands/servers/restore.ts'),
  },
  init: { about: 'write a settings file into this folder', load: () => import('./commands/setup/init.ts') },
  completion: {
    about: 'print a script that completes commands in bash, zsh or fish',
    load: () => import('./commands/setup/completion.ts'),
  },
  doctor: { about: 'check that the system has what Windrow needs', load: () => import('./commands/setup/doctor.ts') },
  plan: {
    about: 'simulate waiting times and cost for many carts',
    load: () => import('./commands/setup/plan.ts'),
  },
  source: { about: 'create the files of a new source', load: () => import('./commands/setup/source.ts') },
  version: { about: 'show the version', load: () => import('./commands/setup/version.ts') },
  schemas: {
    about: 'write the JSON Schemas of the worker messages',
    load: () => import('./commands/setup/schemas.ts'),
  },
};
