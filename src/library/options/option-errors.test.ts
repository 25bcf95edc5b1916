import { expect, test } from 'vitest';
import { BOARD_SOURCES } from '../../sources/boards/index.ts';
import { CAREER_SOURCES } from '../../sources/careers/index.ts';
import { SHOPPING_SOURCES } from '../../sources/shopping/index.ts';
import { scrapeArticles, scrapeCompany, scrapeJobs, scrapeProducts } from '../index.ts';
import type { CareerSite } from '../scrape-company.ts';
import type { JobSite } from '../scrape-jobs.ts';
import type { ProductSite } from '../scrape-products.ts';

/** Each case as people write it: options that the types refuse too. */
const jobs = (options: object) => () => scrapeJobs(options as never);

test.each<[options: object, sentence: string]>([
  [{}, 'scrapeJobs: searchTerm is required.'],
  [{ searchTerm: 7 }, 'scrapeJobs: searchTerm has to be a string.'],
  [{ searchTerm: 'x', siteName: ['indeed'] }, 'scrapeJobs: siteName is not an option; did you mean sites?'],
  [{ searchTerm: 'x', resultsWanted: 5 }, 'scrapeJobs: resultsWanted is not an option; did you mean results?'],
  [{ searchTerm: 'x', loaction: 'Boston' }, 'scrapeJobs: loaction is not an option; did you mean location?'],
  [{ searchTerm: 'x', sites: [] }, 'scrapeJobs: sites must not be empty.'],
  [{ searchTerm: 'x', sites: ['indede'] }, 'scrapeJobs: sites[0] is not a site: "indede"; did you mean indeed?'],
  [{ searchTerm: 'x', sites: ['monster'] }, 'there are indeed, linkedin,'],
  [{ searchTerm: 'x', results: 0 }, 'scrapeJobs: results has to be at least 1.'],
  [{ searchTerm: 'x', jobType: 'any' }, 'jobType has to be one of fulltime, parttime, internship, contract.'],
  [{ searchTerm: 'x', country: 'Atlantis' }, 'country is no country; give its English name or ISO code'],
  [{ searchTerm: 'x', maxRetries: -1 }, 'maxRetries has to be a whole number from 0 to 20.'],
  [{ searchTerm: 'x', proxies: ['ftp://a'] }, 'proxies has to be URLs like http://user:password@host:8080'],
  [{ searchTerm: 'x', hostMap: { '*': 'nowhere' } }, 'hostMap has to be host=origin pairs'],
  [{ searchTerm: 'x', robots: 'off' }, "robots has to be true, false or { offFor: ['indeed'] }."],
  [{ searchTerm: 'x', proxies: 8080 }, 'proxies has to be a string or an array of strings.'],
  [{ searchTerm: 'x', browser: 'chrome' }, 'browser has to be true, false or { executablePath, driver }.'],
  [{ searchTerm: 'x', signal: true }, 'signal has to be an AbortSignal.'],
  [{ searchTerm: 'x', onProgress: 'yes' }, 'onProgress has to be a function.'],
])('%j is refused at once, with the option and what it has to be', (options, sentence) => {
  expect(jobs(options)).toThrow(sentence);
});

test('all that is wrong is said together, each once', () => {
  expect(jobs({ searchTerm: '', results: 0, sites: ['indeed', 'linkedin'] })).toThrow(
    'scrapeJobs: searchTerm must not be empty; results has to be at least 1.',
  );
});

test('what is thrown has a code and names its fields for programs', () => {
  expect.assertions(1);
  try {
    scrapeJobs({ searchTerm: 'x', results: 0 });
  } catch (error) {
    expect(error).toMatchObject({
      name: 'WindrowError',
      code: 'invalid_params',
      errors: [{ pointer: '/results', detail: 'has to be at least 1' }],
    });
  }
});

test('the other functions refuse what they cannot use', () => {
  expect(() => scrapeArticles({ urls: ['https://a.example/', 'b.example'] })).toThrow(
    'scrapeArticles: urls[1] has to be a URL that starts with http:// or https://.',
  );
  expect(() => scrapeProducts({})).toThrow('scrapeProducts: items is required (or barcodes, urls, or a shop).');
  expect(() => scrapeProducts({ items: ['milk'] })).toThrow('scrapeProducts: zipcode is required (google-shopping).');
  expect(() => scrapeCompany({})).toThrow('scrapeCompany: url is required: the URL of a career page');
  expect(() => scrapeCompany({ url: 'https://a.example/', site: 'rss' })).toThrow(
    'scrapeCompany: url cannot be given together with site; leave out one of them.',
  );
  expect(() => scrapeCompany({ site: 'greenhouse' })).toThrow('scrapeCompany: params.board is required');
  expect(() => scrapeCompany({ site: 'greenhose' })).toThrow(
    'site is not a site: "greenhose"; did you mean greenhouse?',
  );
});

test('the names in the types are those of the sources', () => {
  const jobSites: Record<JobSite, true> = {
    indeed: true,
    linkedin: true,
    glassdoor: true,
    ziprecruiter: true,
    'google-jobs': true,
    naukri: true,
    bayt: true,
    bdjobs: true,
  };
  const productSites: Record<ProductSite, true> = {
    'google-shopping': true,
    shopify: true,
    woocommerce: true,
    magento: true,
    'sap-commerce': true,
    target: true,
    'open-food-facts': true,
    'open-prices': true,
    kroger: true,
    walmart: true,
    'product-page': true,
    serpapi: true,
  };
  const careerSites: Record<CareerSite, true> = {
    greenhouse: true,
    lever: true,
    ashby: true,
    smartrecruiters: true,
    comeet: true,
    workday: true,
    workable: true,
    recruitee: true,
    personio: true,
    teamtailor: true,
    bamboohr: true,
    pinpoint: true,
    breezy: true,
    gem: true,
    rippling: true,
    jazzhr: true,
    paylocity: true,
    oracle: true,
    phenom: true,
    eightfold: true,
    ukg: true,
    adp: true,
    jibe: true,
    icims: true,
    successfactors: true,
    jobvite: true,
    avature: true,
    join: true,
    gupy: true,
    jobylon: true,
    taleo: true,
    rss: true,
    api: true,
    embedded: true,
    sitemap: true,
    static: true,
    playwright: true,
  };
  expect(BOARD_SOURCES.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(jobSites)));
  expect(SHOPPING_SOURCES.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(productSites)));
  expect(CAREER_SOURCES.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(careerSites)));
});
