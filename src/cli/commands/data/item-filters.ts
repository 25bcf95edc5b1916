// The filters of the item lists as options, the same for `windrow postings list`, `windrow postings facets` and `windrow export postings`.
import { type Command, InvalidArgumentError } from 'commander';

export type ListName = 'postings' | 'articles' | 'products';

type FilterOption = readonly [flags: string, about: string];

const TEXT: FilterOption = ['--q <text>', 'search words: "a phrase", or, -excluded'];
const SOURCE: FilterOption = ['--source <names>', 'one source, or several separated by commas'];
const CURRENCY: FilterOption = ['--currency <code>', 'such as EUR'];
const SCRAPED: readonly FilterOption[] = [
  ['--scraped-after <day>', 'scraped after this day or time (ISO 8601)'],
  ['--scraped-before <day>', 'scraped before it'],
];
const fuzzy = (name: string): FilterOption => ['--fuzzy', `the ${name} may be spelled differently`];

const FILTERS: Record<ListName, readonly FilterOption[]> = {
  postings: [
    TEXT,
    SOURCE,
    ['--company <name>', 'words in the company name'],
    fuzzy('company'),
    ['--location <words>', 'words in the location'],
    ['--country <code>', 'such as US'],
    ['--remote-type <type>', 'remote, hybrid or onsite'],
    ['--seniority <level>', 'such as entry, mid, senior, lead'],
    ['--job-type <type>', 'such as full_time, part_time, contract, internship'],
    ['--degree <degree>', 'none, high_school, vocational, associate, university, bachelor, master or doctorate'],
    ['--visa-sponsorship <yes>', 'true or false: whether the employer sponsors visas'],
    ['--contract-kind <kind>', 'permanent, fixed_term, freelance or agency'],
    ['--max-experience <years>', 'asks for so many years of experience at most'],
    ['--skill <names>', 'one skill, or several separated by commas: all are required'],
    ['--min-salary <amount>', 'minimum annual salary, in the currency of the posting'],
    ['--max-salary <amount>', 'maximum annual salary'],
    ['--salary-interval <interval>', 'hour, day, week, month or year'],
    CURRENCY,
    ['--posted-after <day>', 'posted after this day or time (ISO 8601)'],
    ['--posted-before <day>', 'posted before it'],
    ['--first-seen-after <day>', 'first seen after this day or time'],
    ['--first-seen-before <day>', 'first seen before it'],
    ['--group <id>', 'only the postings of one group'],
  ],
  articles: [
    TEXT,
    ['--source <label>', 'the label given on submit'],
    ['--category <label>', 'the label given on submit'],
    // `--host` is the address of the server.
    ['--site <host>', 'host name, such as example.com'],
    ['--language <code>', 'such as en'],
    ['--author <name>', 'words in the author name'],
    fuzzy('author'),
    ['--published-after <day>', 'published after this day or time (ISO 8601)'],
    ['--published-before <day>', 'published before it'],
    ...SCRAPED,
  ],
  products: [
    TEXT,
    SOURCE,
    ['--seller <name>', 'words in the seller name'],
    fuzzy('seller'),
    ['--zipcode <zipcode>', 'five digits'],
    CURRENCY,
    ['--min-price <amount>', 'in the currency of the product'],
    ['--max-price <amount>', 'in the currency of the product'],
    ...SCRAPED,
  ],
};

/** Where the flag is not the parameter. */
const PARAMS: Record<string, string> = { '--site': 'host' };

export function withFilters(made: Command, list: ListName): Command {
  for (const [flags, about] of FILTERS[list]) {
    if (/<amount>$/.test(flags)) made.option(flags, about, amount);
    else made.option(flags, about);
  }
  return made;
}

/** Parameters of the API from the options of a command. */
export function queryOf(list: ListName, options: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [flags] of FILTERS[list]) {
    const [flag = ''] = flags.split(' ');
    const value = options[flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined) query.set(PARAMS[flag] ?? flag.slice(2).replaceAll('-', '_'), String(value));
  }
  return query;
}

function amount(text: string): number {
  const value = Number(text);
  if (!/^\d{1,12}(?:\.\d{1,4})?$/.test(text)) throw new InvalidArgumentError('Use an amount such as 80000 or 3.99.');
  return value;
}
