// `windrow analytics …`: numbers over what is stored, as tables, JSON or CSV.
import { noun } from '../../command.ts';
import { type Flag, readCommand } from '../lists/read-command.ts';

interface Analytics {
  rows: Record<string, string | number | null>[];
  groups_cut: boolean;
}

const PERIOD: readonly Flag[] = [
  { flags: '--from <day>', about: 'begin of the period: a day or a time (default: 30 days before its end)' },
  { flags: '--to <day>', about: 'end of the period, not included (default: now)' },
  { flags: '--bucket <size>', about: 'hour, day or week' },
  { flags: '--source <names>', about: 'one source, or several separated by commas' },
];
const GROUPS: readonly Flag[] = [{ flags: '-n, --limit <number>', about: 'maximum number of groups (default 20)' }];
const OF_POSTINGS: readonly Flag[] = [
  ...PERIOD,
  {
    flags: '--group-by <names>',
    about: 'one or two of source, company, country, city, remote_type, seniority, job_type, skill',
  },
  ...GROUPS,
  { flags: '--q <text>', about: 'search words: "a phrase", or, -excluded' },
  { flags: '--company <name>', about: 'words in the company name' },
  { flags: '--location <words>', about: 'words in the location' },
  { flags: '--country <code>', about: 'such as US' },
  { flags: '--remote-type <type>', about: 'remote, hybrid or onsite' },
  { flags: '--currency <code>', about: 'such as EUR' },
];
const OF_PRICES: readonly Flag[] = [
  ...PERIOD,
  { flags: '--group-by <names>', about: 'one or two of source, seller, zipcode, product' },
  ...GROUPS,
  { flags: '--q <text>', about: 'part of the title' },
  { flags: '--product <id>', about: 'one product: the product field of `windrow products list --json`' },
  { flags: '--seller <name>', about: 'part of the seller name' },
  { flags: '--zipcode <zipcode>', about: 'five digits' },
  { flags: '--currency <code>', about: 'such as EUR' },
];

const analysis = (name: string, about: string, flags: readonly Flag[], example: readonly [string, string]) =>
  readCommand<Analytics>({
    name,
    about,
    examples: [example],
    path: `/analytics/${name}`,
    flags,
    hasCsv: true,
    show({ rows, groups_cut: isCut }, { terminal }) {
      const [first] = rows;
      if (!first) return terminal.say('Nothing was stored in this period.');
      const names = Object.keys(first).filter((column) => rows.some((row) => row[column] !== null));
      const head = names.map((column) => column.replaceAll('_', ' ').toUpperCase());
      terminal.table([head, ...rows.map((row) => names.map((column) => cellText(row[column])))]);
      if (isCut) terminal.say('There are more groups. Show them with --limit.');
    },
  });

/** Buckets begin with whole hours; more than two digits after the point say nothing. */
const cellText = (value: string | number | null | undefined): string =>
  typeof value === 'number'
    ? String(Math.round(value * 100) / 100)
    : (value ?? '').replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{3}Z$/, '$1 $2').replace(/ 00:00$/, '');

export const make = () =>
  noun({
    name: 'analytics',
    about: 'Numbers over what is stored: postings, salaries, companies, prices, and how sources did.',
    verbs: [
      analysis('postings', 'Counts new postings by day, hour or week.', OF_POSTINGS, [
        'windrow analytics postings --group-by source --bucket week',
        'postings of each source and week',
      ]),
      analysis('salaries', 'Shows annual salaries: minimum, percentiles, maximum, mean.', OF_POSTINGS, [
        'windrow analytics salaries --q python --group-by seniority --country US',
        'what python jobs in the US pay, by seniority',
      ]),
      analysis('companies', 'Shows which companies advertise most.', OF_POSTINGS, [
        'windrow analytics companies --location Berlin --limit 10',
        'the ten largest in Berlin',
      ]),
      analysis('prices', 'Shows prices of products over time.', OF_PRICES, [
        'windrow analytics prices --q milk --zipcode 10001 --group-by seller --csv > milk.csv',
        'the price of milk at each seller and day',
      ]),
      analysis('sources', 'Shows how sources did: attempts, success, latency, blocks.', PERIOD, [
        'windrow analytics sources --source indeed --bucket hour',
        'one source by hour, for a week',
      ]),
    ],
  });
