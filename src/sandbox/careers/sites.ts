// Companies' own career sites, `<company>.hiring.example`. The name of a site shows its vendor: `aldermoor-greenhouse.hiring.example` embeds
// that vendor, `…-jsonld` states its postings for machines, `…-rss` has a feed, `…-list` is plain HTML, `…-api` is a script with an endpoint; those of
// data-sites.ts have their list in a sitemap or in a script.
import { esc } from '../news/markup.ts';
import type { Replica } from '../replica.ts';
import { comeetToken, comeetUid } from './comeet.ts';
import { DATA_KINDS } from './data-sites.ts';
import { guidOf } from './guid.ts';
import { day, html, json, numberIn, positionsFor, textHtml, xml } from './replies.ts';
import { page, postingPage, type SiteKind } from './site-pages.ts';
import { companyName } from './truth.ts';

const PAGE_ROWS = 25;

export const sites: Replica = {
  name: 'career-sites',
  title: "Made-up companies' own career sites: with a vendor's widget, JSON-LD, a feed, plain HTML, or an endpoint",
  hosts: ['*.hiring.example'],
  examples: [
    { url: 'https://aldermoor-greenhouse.hiring.example/careers', note: 'embeds a vendor' },
    { url: 'https://aldermoor-jsonld.hiring.example/careers', note: 'one page per posting, with JSON-LD' },
    { url: 'https://aldermoor-list.hiring.example/careers', note: 'a plain list in pages' },
  ],
  handle(request) {
    const label = request.host.split('.')[0] as string;
    const [, company = label, kind = 'list'] = /^(.*)-([a-z]+)$/.exec(label) ?? [];
    if (request.path === '/')
      return html(
        `<!doctype html><title>${esc(companyName(company))}</title><a href="/about">About</a> <a href="/careers">Careers</a>`,
      );
    if (kind === 'redirect')
      return { ...html('', 301), headers: { location: `https://job-boards.greenhouse.io/${company}` } };
    const embed = EMBEDS[kind];
    if (embed !== undefined) return request.path === '/careers' ? page(company, embed(company)) : undefined;
    return KINDS[kind]?.(request, company, positionsFor(request, `site-${kind}`, company));
  },
};

/** How each vendor shows on a page that is not its own. */
const EMBEDS: Record<string, (company: string) => string> = {
  greenhouse: (c) =>
    `<div id="grnhse_app"></div><script src="https://boards.greenhouse.io/embed/job_board/js?for=${c}"></script>`,
  lever: (c) => `<script>fetch("https://api.lever.co/v0/postings/${c}?mode=json")</script>`,
  ashby: (c) => `<script src="https://jobs.ashbyhq.com/${c}/embed?version=2"></script>`,
  smartrecruiters: (c) => `<a href="https://careers.smartrecruiters.com/${c}">Open positions</a>`,
  comeet: (c) =>
    `<script>var api = "https:\\/\\/www.comeet.co\\/careers-api\\/2.0\\/company\\/${comeetUid(c)}\\/positions?token=${comeetToken(comeetUid(c))}\\u0026details=true"</script>`,
  workday: (c) => `<a href="https://${c}.wd5.myworkdayjobs.com/en-US/External">See all jobs</a>`,
  workable: (c) => `<a href="https://apply.workable.com/${c}/">Join us</a>`,
  recruitee: (c) => `<iframe src="https://${c}.recruitee.com/"></iframe>`,
  personio: (c) => `<a href="https://${c}.jobs.personio.de?language=en">Jobs</a>`,
  teamtailor: (c) => `<a href="https://${c}.teamtailor.com/jobs">Jobs</a>`,
  oracle: (c) =>
    `<a href="https://${c}.fa.us2.oraclecloud.com/hcmUI/CandidateExperience/en/sites/CX_1/jobs">Search jobs</a>`,
  pinpoint: (c) => `<a href="https://${c}.pinpointhq.com/">Vacancies</a>`,
  breezy: (c) => `<iframe src="https://${c}.breezy.hr/"></iframe>`,
  gem: (c) => `<a href="https://jobs.gem.com/${c}">Jobs</a>`,
  rippling: (c) => `<a href="https://ats.rippling.com/en-GB/${c}/jobs">Jobs</a>`,
  jazzhr: (c) => `<script src="https://${c}.applytojob.com/apply/embed.js"></script>`,
  jobvite: (c) => `<a href="https://jobs.jobvite.com/careers/${c}/jobs">Jobs</a>`,
  join: (c) => `<a href="https://join.com/companies/${c}">Jobs</a>`,
  gupy: (c) => `<a href="https://${c}.gupy.io/">Vagas</a>`,
  jobylon: (c) =>
    `<script>new JobListing({ feedUrl: "https://feed.jobylon.com/feeds/${guidOf(c)}/?format=json" })</script>`,
  ukg: (c) =>
    `<a href="https://recruiting.ultipro.com/ACM1000ACME/JobBoard/${guidOf(c)}/?q=&o=postedDateDesc">Jobs</a>`,
  adp: (c) =>
    `<a href="https://workforcenow.adp.com/mascsr/default/mdf/recruitment/recruitment.html?cid=${guidOf(c)}&amp;ccId=19000101_000001&amp;lang=en_US">Jobs</a>`,
  paylocity: (c) => `<a href="https://recruiting.paylocity.com/recruiting/jobs/All/${guidOf(c)}/Acme-Inc">Jobs</a>`,
  taleo: (c) => `<a href="https://${c}.taleo.net/careersection/ex/jobsearch.ftl?lang=en">Jobs</a>`,
  eightfold: (c) => `<a href="https://${c}.eightfold.ai/careers?domain=${c}.com">Jobs</a>`,
  icims: (c) => `<iframe src="https://careers-${c}.icims.com/jobs/search?ss=1&amp;in_iframe=1"></iframe>`,
  avature: (c) => `<a href="https://${c}.avature.net/careers/SearchJobs">Jobs</a>`,
  cornerstone: (c) => `<a href="https://${c}.csod.com/ux/ats/careersite/4/home?c=${c}">Jobs</a>`,
  bamboohr: (c) =>
    `<div id="BambooHR" data-domain="${c}.bamboohr.com"></div><script src="https://${c}.bamboohr.com/js/embed.js"></script>`,
};

const KINDS: Record<string, SiteKind> = {
  ...DATA_KINDS,
  jsonld(request, company, positions) {
    if (request.path === '/careers') {
      const links = positions.map(
        (one) => `<li><a href="/careers/jobs/${one.number}-a-job">${esc(one.title)}</a></li>`,
      );
      return page(
        company,
        links.length > 0 ? `<ul>${links.join('')}</ul>` : '<p>There are no open positions at the moment.</p>',
      );
    }
    const number = /^\/careers\/jobs\/(\d+)/.exec(request.path)?.[1];
    const position = positions.find((one) => String(one.number) === number);
    if (position === undefined) return undefined;
    return postingPage(position, company, `${request.origin}${request.path}`);
  },
  rss(request, company, positions) {
    if (request.path === '/careers')
      return page(
        company,
        '<p>See our feed.</p>',
        '<link rel="alternate" type="application/rss+xml" title="Jobs" href="/jobs/feed.xml">',
      );
    if (request.path !== '/jobs/feed.xml') return undefined;
    const items = positions.map(
      (one) =>
        `<item><title>${esc(one.title)}</title><link>${request.origin}/jobs/${one.number}</link><guid isPermaLink="false">${one.number}</guid><pubDate>${new Date(one.bornMs).toUTCString()}</pubDate><location>${esc(`${one.place.city}, ${one.place.country}`)}</location><department>${esc(one.department)}</department><description>${esc(textHtml(one))}</description></item>`,
    );
    return xml(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>Jobs at ${esc(companyName(company))}</title>${items.join('')}</channel></rss>`,
    );
  },
  list(request, company, positions) {
    if (request.path.startsWith('/jobs/')) {
      const position = positions.find((one) => `/jobs/${one.number}` === request.path);
      return position && page(company, `<h2>${esc(position.title)}</h2><div class="text">${textHtml(position)}</div>`);
    }
    if (request.path !== '/careers') return undefined;
    const at = numberIn(request.query.get('page'), 1);
    const shown = positions.slice((at - 1) * PAGE_ROWS, at * PAGE_ROWS);
    const rows = shown.map(
      (one) =>
        `<li class="job"><h3><a href="/jobs/${one.number}">${esc(one.title)}</a></h3><span class="place">${esc(`${one.place.city}, ${one.place.country}`)}</span><span class="team">${esc(one.department)}</span><time>${day(one.bornMs)}</time></li>`,
    );
    const next = at * PAGE_ROWS < positions.length ? `<a rel="next" href="/careers?page=${at + 1}">More</a>` : '';
    return page(
      company,
      rows.length > 0 ? `<ul>${rows.join('')}</ul>${next}` : '<p>There are no open positions at the moment.</p>',
    );
  },
  api(request, _company, positions) {
    if (request.path !== '/api/openings') return undefined;
    const [at, size] = [numberIn(request.query.get('page'), 1), numberIn(request.query.get('size'), 50)];
    const rows = positions.slice((at - 1) * size, at * size).map((one) => ({
      key: one.number,
      attributes: {
        name: one.title,
        slug: `${one.number}-a-job`,
        group: { label: one.department },
        offices: [{ name: `${one.place.city}, ${one.place.country}` }],
        opened: Math.floor(one.bornMs / 1000),
        body: textHtml(one),
        model: one.remote,
        contract: one.type.replace('_', '-'),
      },
      pay: one.pay,
    }));
    return json({ result: { count: positions.length, rows } });
  },
  spa(request, company, positions) {
    if (request.path === '/careers')
      return page(
        company,
        '<div id="app">Loading…</div><script>fetch("/data.json").then(r => r.json()).then(rows => { document.getElementById("app").innerHTML = rows.map(r => "<article class=job><a href=/jobs/" + r.number + ">" + r.title + "</a><em>" + r.city + "</em></article>").join("") })</script>',
      );
    if (request.path !== '/data.json') return undefined;
    return json(
      positions.map((one) => ({
        number: one.number,
        title: one.title,
        city: `${one.place.city}, ${one.place.country}`,
      })),
    );
  },
};
