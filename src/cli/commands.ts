// The commands, one line each. A command's file is loaded only when it is the one that runs: a worker never reads the code of the API or the store.
import type { Command } from 'commander';

export interface CommandRow {
  about: string;
  load(): Promise<{ make(): Command }>;
}

export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  up: { about: 'run everything in this process (what npm start does)', load: () => import('./commands/servers/up.ts') },
  demo: { about: 'a thirty-second tour on a pretend web', load: () => import('./commands/servers/demo.ts') },
  scrape: {
    about: 'scrape addresses right here, without a server',
    load: () => import('./commands/scraping/scrape.ts'),
  },
  submit: { about: 'give a running server work', load: () => import('./commands/scraping/submit.ts') },
  runs: { about: 'list the runs of a server', load: () => import('./commands/lists/runs.ts') },
  run: { about: 'show one run and its results', load: () => import('./commands/lists/run.ts') },
  companies: { about: 'add, import, list and scrape companies', load: () => import('./commands/lists/companies.ts') },
  positions: {
    about: 'list positions of companies, such as the new ones',
    load: () => import('./commands/lists/positions.ts'),
  },
  alerts: { about: 'be told of new postings that match a search', load: () => import('./commands/lists/alerts.ts') },
  schedules: { about: 'see and change what runs when', load: () => import('./commands/lists/schedules.ts') },
  sources: { about: 'see how the sources do, pause and resume one', load: () => import('./commands/lists/sources.ts') },
  webhooks: { about: 'say who is told when something happens', load: () => import('./commands/lists/webhooks.ts') },
  trigger: { about: 'start now what schedules do', load: () => import('./commands/scraping/trigger.ts') },
  cancel: { about: 'cancel a run', load: () => import('./commands/scraping/cancel.ts') },
  replay: {
    about: 'read archived pages again and say what changed',
    load: () => import('./commands/scraping/replay.ts'),
  },
  api: { about: 'run only the HTTP API', load: () => import('./commands/servers/api.ts') },
  orchestrator: { about: 'run only an orchestrator', load: () => import('./commands/servers/orchestrator.ts') },
  worker: { about: 'run only a worker', load: () => import('./commands/servers/worker.ts') },
  sandbox: { about: 'serve a pretend web to scrape', load: () => import('./commands/servers/sandbox.ts') },
  config: {
    about: 'show every setting and where its value comes from',
    load: () => import('./commands/setup/config.ts'),
  },
  migrate: { about: 'bring the database up to date', load: () => import('./commands/servers/migrate.ts') },
  doctor: { about: 'check that everything Windrow needs is there', load: () => import('./commands/setup/doctor.ts') },
  plan: {
    about: 'simulate how long carts will wait, and what it costs',
    load: () => import('./commands/setup/plan.ts'),
  },
  source: { about: 'write the files of a new source', load: () => import('./commands/setup/source.ts') },
  version: { about: 'show the version', load: () => import('./commands/setup/version.ts') },
  schemas: { about: 'write the JSON Schemas of the messages', load: () => import('./commands/setup/schemas.ts') },
};
