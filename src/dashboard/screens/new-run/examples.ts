// The same request as lines for a terminal and as a program. Pure.

export interface Examples {
  curl: string;
  cli: string;
  typescript: string;
}

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

export const curlOf = (origin: string, path: string, body: unknown): string =>
  [
    `curl -X POST ${origin}${path}`,
    `-H 'content-type: application/json'`,
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ');

/** Names of parameters that the command line and the library call otherwise. */
const FLAGS: Record<string, [flag: string, option: string]> = {
  location: ['--location', 'location'],
  results_wanted: ['--results', 'results'],
  is_remote: ['--remote', 'remote'],
  job_type: ['--job-type', 'jobType'],
  hours_old: ['--hours-old', 'hoursOld'],
  country: ['--country', 'country'],
  distance: ['--distance', 'distance'],
  offset: ['--offset', 'offset'],
  easy_apply: ['--easy-apply', 'easyApply'],
  company_ids: ['--company-ids', 'companyIds'],
  fetch_description: ['--description', 'description'],
  description_format: ['--description-format', 'descriptionFormat'],
  enforce_annual_salary: ['--annual-salary', 'annualSalary'],
};

const literal = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/"([A-Za-z_]\w*)":/g, '$1: ')
    .replaceAll('","', '", "');

function optionsOf(params: Record<string, unknown>): [flag: string, option: string, value: unknown][] {
  return Object.entries(params).flatMap(([name, value]) => {
    const known = FLAGS[name];
    return known && value !== undefined && value !== false ? [[...known, value] as [string, string, unknown]] : [];
  });
}

export function searchExamples(origin: string, sites: readonly string[], params: Record<string, unknown>): Examples {
  const { search_term = '', ...others } = params;
  const options = optionsOf(others);
  const [first = 'indeed', ...more] = sites;
  const flags = [
    ...(more.length > 0 ? [`--sites ${more.join(',')}`] : []),
    ...options.map(([flag, , value]) => (value === true ? flag : `${flag} ${quoted([value].flat().join(','))}`)),
  ];
  return {
    curl: curlOf(origin, '/jobs/scrape', { site_name: sites.length === 1 ? first : sites, ...params }),
    cli: [`npx windrow scrape ${first} ${quoted(String(search_term))}`, ...flags].join(' \\\n  '),
    typescript: `import { scrapeJobs } from 'windrow';

const jobs = scrapeJobs({
  sites: ${literal(sites)},
  searchTerm: ${literal(search_term)},${options.map(([, option, value]) => `\n  ${option}: ${literal(value)},`).join('')}
});
for await (const job of jobs) console.log(job.title);`,
  };
}

export function articleExamples(origin: string, urls: readonly string[], more: object): Examples {
  const articles = urls.map((url) => ({ url }));
  return {
    curl: curlOf(origin, '/jobs/submit', { articles, ...more }),
    cli: `npx windrow submit ${urls.map(quoted).join(' \\\n  ')} --watch`,
    typescript: `import { scrapeArticles } from 'windrow';

const articles = scrapeArticles({
  urls: ${JSON.stringify(urls, null, 2).replaceAll('\n', '\n  ')},
});
for await (const article of articles) console.log(article.title);`,
  };
}

export interface CrawlBody {
  url: string;
  limit: number;
  max_depth: number;
  include_paths: string[];
  exclude_paths: string[];
}

export function crawlExamples(origin: string, body: CrawlBody): Examples {
  const { url, limit, max_depth: depth, include_paths: include, exclude_paths: exclude } = body;
  const flags = [
    `--limit ${limit}`,
    `--max-depth ${depth}`,
    ...include.map((pattern) => `--include ${quoted(pattern)}`),
    ...exclude.map((pattern) => `--exclude ${quoted(pattern)}`),
    '--watch',
  ];
  return {
    curl: curlOf(origin, '/crawl', body),
    cli: [`npx windrow crawl ${quoted(url)}`, ...flags].join(' \\\n  '),
    typescript: `import { createClient } from 'windrow/client';

const windrow = createClient({ url: ${literal(origin)} });
const { run_id } = await windrow.call('POST /crawl', {
  body: ${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')},
});
await windrow.runs.wait(run_id);
for await (const page of windrow.rows('GET /crawl/{run_id}/pages', { path: { run_id } })) console.log(page.url, page.article?.title);`,
  };
}

export function companyExamples(origin: string, url: string): Examples {
  return {
    curl: curlOf(origin, '/companies/detect', { url }),
    cli: `npx windrow companies add ${quoted(url)}\nnpx windrow companies scrape --all`,
    typescript: `import { scrapeCompany } from 'windrow';

const jobs = scrapeCompany({ url: ${literal(url)} });
for await (const job of jobs) console.log(job.title);`,
  };
}

export function cartExamples(origin: string, body: { items: readonly string[]; zipcode: string }): Examples {
  return {
    curl: curlOf(origin, '/cart', body),
    cli: body.items
      .map((item) => `npx windrow scrape google-shopping query=${quoted(item)} zipcode=${quoted(body.zipcode)}`)
      .join('\n'),
    typescript: `import { scrapeProducts } from 'windrow';

const products = scrapeProducts({
  items: ${literal(body.items)},
  zipcode: ${literal(body.zipcode)},
});
for await (const product of products) console.log(product.title, product.price);`,
  };
}
