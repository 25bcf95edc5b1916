// `windrow companies …`: companies whose career pages are scraped.

import type { Command } from 'commander';
import type { z } from 'zod';
import type {
  CompanyView as ApiCompanyView,
  Detection as ApiDetection,
  ImportReport as ApiImportReport,
} from '../../../api/companies/schemas.ts';
import { AppError } from '../../../model/errors.ts';
import { type Client, clientCommand, configuredClient } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { checkAddresses, readInput } from '../../terminal/addresses.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { createTerminal, timeText } from '../../terminal/terminal.ts';
import { openClient } from './about-one.ts';
import { changeCommand } from './change.ts';
import { type StartedRun, sessionsOf, showRun, showSessions } from './company-run.ts';
import { fieldRows, readCommand } from './read-command.ts';
import { collect } from './set-option.ts';

type CompanyView = z.infer<typeof ApiCompanyView>;

type Detection = z.infer<typeof ApiDetection>;

type ImportReport = z.infer<typeof ApiImportReport>;

type Options = Record<string, unknown> & { json?: boolean };

/** Below this confidence a person should check the result. */
const SURE = 0.6;

export const make = () =>
  noun({
    name: 'companies',
    about: 'Companies whose career pages are scraped.',
    verbs: [
      add(),
      detect(),
      importFile(),
      list(),
      readCommand<CompanyView>({
        name: 'show',
        about: 'Shows a company, how it is scraped, and its last session.',
        examples: [['windrow companies show Acme', 'by name or id']],
        path: '/companies/{company}',
        arguments: { company: 'id or name' },
        show: (company, { terminal }) => terminal.table(fieldRows(company)),
      }),
      changeCommand({
        noun: 'companies',
        argument: ['company', 'id or name'],
        fields: 'name, website, active, scraping_config',
        examples: [['Acme --set active=false', 'it is not scraped with the others any more']],
      }),
      scrape(),
      sessions(),
      remove(),
    ],
  });

const pathOf = (idOrName: string): string => `/companies/${encodeURIComponent(idOrName)}`;

function add(): Command {
  return clientCommand({
    name: 'add',
    about: 'Adds a company by the URL of its career page, or by its settings.',
    examples: [
      ['windrow companies add https://careers.example.com', 'detects how to scrape the page, and shows its confidence'],
      ['windrow companies add https://careers.example.com --dry-run', 'detects only, adds nothing'],
      ['windrow companies add --name Acme --set scraper_type=greenhouse --set board=acme', 'without detection'],
      [
        `windrow companies add https://acme.example/jobs --set scraper_type=static --set item=.job --set 'fields={"title":"h2"}'`,
        'with CSS selectors',
      ],
    ],
  })
    .argument('[address]', 'URL of the career page')
    .option('--name <name>', 'name of the company (default: name of the board or host)')
    .option(
      '--set <name=value>',
      'scraper setting: text, true, false, or JSON {…} or […]. name:=3 for a number',
      collect,
      {},
    )
    .option('--dry-run', 'detect only, add nothing')
    .option('--yes', 'add it even if the confidence is low')
    .action(
      async (
        address: string | undefined,
        options: Options & { name?: string; set: Record<string, unknown>; dryRun?: boolean; yes?: boolean },
      ) => {
        const terminal = createTerminal({ json: Boolean(options.json) });
        const client = await configuredClient(options, terminal);
        if (options.set.scraper_type === undefined && address === undefined)
          throw new AppError('invalid_usage', 'Give the URL of a career page, or settings with --set scraper_type=…');
        let config = {
          ...(await pageSetting(client, options.set, address)),
          ...options.set,
        } as CompanyView['scraping_config'];
        if (config.scraper_type === undefined) {
          checkAddresses([address!]);
          const found = await client.send<Detection>('POST', '/companies/detect', { url: address });
          const [best] = found.findings;
          if (options.dryRun && options.json) return terminal.document(found);
          for (const { scraping_config, confidence, evidence } of found.findings.slice(0, 5))
            terminal.say(`${Math.round(confidence * 100)} % ${settingsText(scraping_config)} (${evidence})`);
          for (const { vendor, evidence, advice } of found.hints)
            terminal.say(`${vendor} (${evidence}) has no scraper of its own. ${advice}`);
          if (!best)
            throw new AppError(
              'not_found',
              [
                `Found no job list at ${address}.`,
                failures(found),
                'Set the scraper with --set. For pages that need JavaScript: --set scraper_type=playwright.',
              ]
                .filter((sentence) => sentence !== '')
                .join(' '),
            );
          if (options.dryRun) return;
          if (best.confidence < SURE && !options.yes)
            throw new AppError(
              'invalid_usage',
              'The confidence is low. Add it anyway with --yes, or set the scraper with --set.',
            );
          config = { ...best.scraping_config, ...options.set };
        }
        const body = {
          name: options.name ?? nameOf(config, address),
          website: address ?? null,
          scraping_config: config,
        };
        const company = await client.send<CompanyView>('POST', '/companies', body);
        if (options.json) return terminal.document({ ...company });
        terminal.out(company.id);
        terminal.say(
          `Added ${company.name}: ${settingsText(company.scraping_config)}. Scrape it with: windrow companies scrape "${company.name}"`,
        );
      },
    );
}

const detect = (): Command =>
  clientCommand({
    name: 'detect',
    about: 'Detects how to scrape a career page, and adds nothing.',
    examples: [['windrow companies detect https://careers.example.com', 'the most likely way first']],
  })
    .argument('<address>', 'URL of the career page')
    .action(async (address: string, options: Options) => {
      checkAddresses([address]);
      const { client, terminal } = await openClient(options);
      const found = await client.send<Detection>('POST', '/companies/detect', { url: address });
      if (options.json) return terminal.document(found);
      for (const { vendor, evidence, advice } of found.hints)
        terminal.say(`${vendor} (${evidence}) has no scraper of its own. ${advice}`);
      if (found.findings.length === 0)
        throw new AppError('not_found', `Found no job list at ${address}. ${failures(found)}`);
      const rows = found.findings.map(({ scraping_config, confidence, evidence }) => [
        `${Math.round(confidence * 100)} %`,
        settingsText(scraping_config),
        evidence,
      ]);
      terminal.table([['SURE', 'SCRAPER', 'FOUND BY'], ...rows]);
    });

interface SiteView {
  name: string;
  params: { properties?: Record<string, unknown> };
}

/** Scrapers of pages get the URL; the server knows which ones do. */
async function pageSetting(
  client: Client,
  { scraper_type: type }: Record<string, unknown>,
  address: string | undefined,
): Promise<{ url?: string }> {
  if (type === undefined || address === undefined) return {};
  const { data } = await client.get<{ data: { sites: SiteView[] } }>('/jobs/sites');
  return pageOf(data.sites, type, address);
}

export const pageOf = (sites: readonly SiteView[], type: unknown, address: string): { url?: string } =>
  sites.find(({ name }) => name === type)?.params.properties?.url === undefined ? {} : { url: address };

const settingsText = ({ scraper_type, ...settings }: CompanyView['scraping_config']): string =>
  [
    scraper_type,
    ...Object.entries(settings).map(
      ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    ),
  ].join(' ');

const failures = (found: Detection): string =>
  found.looked_at.flatMap(({ url, error }) => (error ? [`${url}: ${error}.`] : [])).join(' ');

/** Boards are called like their companies. */
export function nameOf(config: Record<string, unknown>, address: string | undefined): string {
  const token = [config.board, config.site, config.company, config.account].find((one) => typeof one === 'string');
  const host = typeof config.host === 'string' ? config.host : address ? new URL(address).hostname : '';
  const bare = host.replace(/^(www|careers?|jobs?)\./, '').split('.')[0] ?? '';
  const name = config.scraper_type === 'workday' ? bare : (token ?? bare);
  if (!name) throw new AppError('invalid_usage', 'Set a name with --name.');
  return String(name);
}

function importFile(): Command {
  return clientCommand({
    name: 'import',
    about: 'Imports companies from a YAML or JSON file, and reports the result of each row.',
    examples: [
      ['windrow companies import examples/companies.yaml', 'invalid rows are refused, the others are imported'],
      ['cat companies.json | windrow companies import - --json', 'report as JSON'],
    ],
    notes: 'Exit code 1 when a row was refused.',
  })
    .argument('<file>', 'file path, or - for standard input')
    .action(async (file: string, options: Options) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const client = await configuredClient(options, terminal);
      const content = await readInput(file);
      const type = /^\s*[[{]/.test(content) ? 'application/json' : 'application/yaml';
      const report = await client.send<ImportReport>('POST', '/companies/import', content, { 'content-type': type });
      if (report.refused > 0) process.exitCode = 1;
      if (options.json) return terminal.document(report);
      const rows = report.rows.map(({ row, name, result, problems }) => [
        String(row),
        name ?? '',
        result,
        problems.join('; '),
      ]);
      const head = rows.length > 0 ? [['ROW', 'COMPANY', '', '']] : [];
      terminal.table([...head, ...rows]);
      const { created, updated, unchanged, refused } = report;
      terminal.say(`${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused.`);
    });
}

function list(): Command {
  return clientCommand({
    name: 'list',
    about: 'Lists companies by name.',
    examples: [['windrow companies list --q tech --limit 500', 'companies with "tech" in their name']],
  })
    .option('--q <text>', 'part of the name')
    .option('--inactive', 'only inactive companies')
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 1_000), 100)
    .action(async (options: Options & { q?: string; inactive?: boolean; limit: number }) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const client = await configuredClient(options, terminal);
      const query = new URLSearchParams({
        limit: String(options.limit),
        ...(options.q ? { q: options.q } : {}),
        ...(options.inactive ? { active: 'false' } : {}),
      });
      const found = await client.get<{ companies: CompanyView[]; total: number; next_cursor: string | null }>(
        `/companies?${query}`,
      );
      if (options.json) return terminal.document(found);
      if (found.total === 0)
        return terminal.say('No companies. Add one with: windrow companies add https://careers.example.com');
      const rows = found.companies.map((one) => [
        one.name,
        one.active ? 'active' : 'off',
        String(one.positions),
        one.health,
        one.last_session ? `${timeText(one.last_session.started_at)} ${one.last_session.status}` : 'never',
        settingsText(one.scraping_config),
      ]);
      const head = ['COMPANY', '', 'POSITIONS', 'HEALTH', 'LAST SESSION (UTC)', 'SCRAPER'];
      terminal.table([head, ...rows]);
      if (found.total > rows.length) terminal.say(`${rows.length} of ${found.total} shown. Show more with --limit`);
    });
}

function scrape(): Command {
  return clientCommand({
    name: 'scrape',
    about: 'Scrapes one company, or all active companies.',
    examples: [
      ['windrow companies scrape Acme --wait', 'wait and show the changes'],
      ['windrow companies scrape --all --incremental', 'only new positions. None is closed'],
      ['windrow companies scrape --all --type workday', 'those that are scraped with one source'],
    ],
  })
    .argument('[company]', 'id or name')
    .option('--all', 'all active companies')
    .option('--q <text>', 'with --all: those with this part in their name')
    .option('--type <source>', 'with --all: those that are scraped with this source')
    .option('--incremental', 'fetch only new positions. None is closed')
    .option('-w, --wait', 'wait until it has ended and show the changes')
    .action(
      async (
        company: string | undefined,
        options: Options & { all?: boolean; q?: string; type?: string; incremental?: boolean; wait?: boolean },
      ) => {
        if ((company === undefined) !== Boolean(options.all))
          throw new AppError('invalid_usage', 'Give the name of a company, or --all.');
        if (!options.all && (options.q ?? options.type) !== undefined)
          throw new AppError('invalid_usage', '--q and --type need --all.');
        const terminal = createTerminal({ json: Boolean(options.json) });
        const client = await configuredClient(options, terminal);
        const path = company === undefined ? '/companies/scrape' : `${pathOf(company)}/scrape`;
        const started = await client.send<StartedRun>('POST', path, {
          incremental: Boolean(options.incremental),
          ...(options.q === undefined ? {} : { q: options.q }),
          ...(options.type === undefined ? {} : { scraper_type: options.type }),
        });
        await showRun(client, started, terminal, options);
      },
    );
}

function sessions(): Command {
  return clientCommand({
    name: 'sessions',
    about: 'Lists scrape sessions of companies and their changes, newest first.',
    examples: [['windrow companies sessions --company Acme', 'the latest scrapes of a company']],
  })
    .option('--company <company>', 'id or name')
    .option('--run <id>', 'id of a run')
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 10_000), 20)
    .action(async (options: Options & { company?: string; run?: string; limit: number }) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const client = await configuredClient(options, terminal);
      const query = new URLSearchParams({
        ...(options.company ? { company: options.company } : {}),
        ...(options.run ? { run_id: options.run } : {}),
      });
      const found = await sessionsOf(client, query, options.limit);
      if (options.json) terminal.document({ sessions: found });
      else showSessions(found, terminal);
    });
}

function remove(): Command {
  return clientCommand({
    name: 'remove',
    about: 'Deletes a company with its sessions and positions. This cannot be undone.',
    examples: [['windrow companies remove Acme', 'by name or id']],
  })
    .argument('<company>', 'id or name')
    .action(async (company: string, options: Options) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const client = await configuredClient(options, terminal);
      const gone = await client.send<{ name: string }>('DELETE', pathOf(company));
      if (options.json) terminal.document(gone);
      else terminal.say(`Deleted ${gone.name}.`);
    });
}
