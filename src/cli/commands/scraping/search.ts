// `windrow search …`: searches of job boards, and of any other source of postings, by a running server. `windrow scrape` does without one.
import type { Command } from 'commander';
import { AppError } from '../../../model/errors.ts';
import { clientCommand } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { type ClientOptions, openClient } from '../lists/about-one.ts';
import { readCommand } from '../lists/read-command.ts';
import { followSearch, showSearch } from '../lists/search-run.ts';
import { collect } from '../lists/set-option.ts';
import { list, proxiesFrom, searchParameters, withSearchOptions } from './board-options.ts';

interface Options extends ClientOptions {
  sites: string;
  set: Record<string, unknown>;
  watch?: boolean;
  priority?: number;
  webhook?: string;
  idempotencyKey?: string;
}

export const make = () =>
  noun({
    name: 'search',
    about: 'Searches job boards with a running server. `windrow scrape` searches without one.',
    verbs: [submit(), sites()],
    usual: 'submit',
  });

const submit = (): Command =>
  withSearchOptions(
    clientCommand({
      name: 'submit',
      about: 'Starts a search of one site or several.',
      examples: [
        ['windrow search "nurse" --sites indeed,linkedin --location Boston --watch', 'with progress, then a table'],
        ['windrow search --sites greenhouse --set board=acme', 'a career page: its parameters by name'],
        ['windrow search submit "nurse" --sites indeed --json', 'prints the id as JSON and does not wait'],
      ],
      notes:
        'The postings are stored: see them with `windrow runs show <id>`, or those of all runs with `windrow postings`.',
    })
      .argument('[search]', 'search term')
      .requiredOption('--sites <names>', 'sites to search, separated by commas (`windrow search sites` lists them)'),
  )
    .option(
      '--set <name=value>',
      'any other parameter of the site: text, true, false, or JSON. name:=3 for a number',
      collect,
      {},
    )
    .option('--priority <1-10>', '1 is the highest priority', wholeNumber(1, 10))
    .option('--webhook <url>', 'URL that receives a signed event when it has ended')
    .option('--idempotency-key <key>', 'requests with the same key create only one run')
    .option('-w, --watch', 'wait until it has ended, then show the postings')
    .action(async (term: string | undefined, options: Options) => {
      const { client, terminal } = await openClient(options);
      const sites = list(options.sites);
      if (sites.length === 0) throw new AppError('invalid_usage', '--sites names no site.');
      const proxies = await proxiesFrom(options.proxies);
      const { data } = await client.submit<{ data: { run_id: string } }>(
        '/jobs/scrape',
        {
          site_name: sites.length === 1 ? sites[0] : sites,
          ...searchParameters({ ...options, searchTerm: term }),
          ...options.set,
          ...(proxies.length === 0 ? {} : { proxies }),
          ...(options.priority === undefined ? {} : { priority: options.priority }),
          ...(options.webhook === undefined ? {} : { webhook_url: options.webhook }),
        },
        options.idempotencyKey,
      );
      const id = data.run_id;
      if (!options.watch) {
        if (options.json) return terminal.document(data);
        terminal.out(id);
        return terminal.say(`Started. To see the results: windrow runs show ${id} --watch`);
      }
      terminal.say(`Started ${id}`);
      await followSearch(client, id, terminal);
      if (process.exitCode !== 130)
        await showSearch(client, id, terminal, { limit: SHOWN, json: Boolean(options.json) });
    });

const SHOWN = 50;

interface Sites {
  data: {
    sites: {
      name: string;
      title: string;
      kind: string;
      params: { properties?: object; required?: string[] };
      health: { state: string };
    }[];
  };
}

const sites = (): Command =>
  readCommand<Sites>({
    name: 'sites',
    about: 'Lists the sites that can be searched, and their parameters.',
    examples: [['windrow search sites --json', 'with the JSON Schema of their parameters']],
    path: '/jobs/sites',
    show({ data }, { terminal }) {
      const rows = data.sites.map(({ name, title, health, params }) => [
        name,
        title,
        health.state,
        Object.keys(params.properties ?? {})
          .map((one) => (params.required?.includes(one) ? `${one}*` : one))
          .join(' '),
      ]);
      terminal.table([['SITE', 'TITLE', 'HEALTH', 'PARAMETERS (* required)'], ...rows]);
    },
  });
