// Systems that are recognised and have no source of their own: their names, and what to do instead. Pure.

export interface Hint {
  vendor: string;
  /** The address it was found in. */
  evidence: string;
  /** What to do, in words. */
  advice: string;
}

const SITEMAP = 'Try scraper_type sitemap with the URL of the career site';
const REST =
  'else scraper_type api with the request that the page makes for its list (network tab of the browser), or playwright with item and fields';
const USUAL = `${SITEMAP}, ${REST}.`;
const BROWSER = 'Its list needs a browser: scraper_type playwright with item and fields.';

/** By what the hosts end with. */
const VENDORS: readonly [vendor: string, domains: string[], advice?: string][] = [
  [
    'SAP SuccessFactors (legacy)',
    [
      'career2.successfactors.eu',
      'career5.successfactors.eu',
      'career012.successfactors.eu',
      'career4.successfactors.com',
      'career8.successfactors.com',
      'sapsf.com',
      'sapsf.eu',
    ],
    "Look for the company's own career site (jobs.acme.com): scraper_type successfactors reads that. This address is for applying.",
  ],
  [
    'Taleo Business Edition',
    ['tbe.taleo.net'],
    'scraper_type static with item "h4.oracletaleocwsv2-head-title" reads the first page of its list; each posting states a JobPosting.',
  ],
  ['ADP MyJobs', ['myjobs.adp.com'], BROWSER],
  [
    'NEOGOV',
    ['governmentjobs.com', 'schooljobs.com'],
    'scraper_type rss with https://www.governmentjobs.com/SearchEngine/JobsFeed?agency=<agency>.',
  ],
  ['Cornerstone', ['csod.com', 'cornerstoneondemand.com'], BROWSER],
  ['Dayforce', ['dayforcehcm.com'], USUAL],
  ['BrassRing', ['brassring.com'], BROWSER],
  ['Radancy (TalentBrew)', ['talentbrew.com', 'tmpwebeng.com'], USUAL],
  ['PageUp', ['pageuppeople.com'], USUAL],
  ['Paycom', ['paycomonline.net'], BROWSER],
  ['Paycor', ['recruitingbypaycor.com'], USUAL],
  ['UKG Ready', ['saashr.com'], BROWSER],
  ['isolved', ['isolvedhire.com'], USUAL],
  ['ClearCompany', ['clearcompany.com', 'hrmdirect.com'], USUAL],
  ['ApplicantPro', ['applicantpro.com'], USUAL],
  ['Hireology', ['hireology.com'], USUAL],
  ['softgarden', ['softgarden.io', 'softgarden.de'], USUAL],
  ['d.vinci', ['dvinci-hr.com', 'dvinci-easy.com'], USUAL],
  ['Umantis', ['umantis.com'], USUAL],
  ['onlyfy (Prescreen)', ['onlyfy.jobs', 'prescreen.io', 'jobbase.io'], USUAL],
  ['rexx systems', ['rexx-systems.com'], USUAL],
  ['Cegid (Talentsoft)', ['talent-soft.com', 'talentsoft.com'], USUAL],
  ['Zoho Recruit', ['zohorecruit.com', 'zohorecruit.eu', 'zohorecruit.in'], USUAL],
  ['Homerun', ['homerun.co'], USUAL],
  ['Traffit', ['traffit.com'], USUAL],
  ['Freshteam', ['freshteam.com'], USUAL],
  ['Keka', ['keka.com'], USUAL],
  ['Darwinbox', ['darwinbox.in', 'darwinbox.com'], BROWSER],
  ['ReachMee', ['reachmee.com'], USUAL],
  ['Varbi', ['varbi.com'], USUAL],
  ['HR Manager', ['hr-manager.net'], USUAL],
  ['HiBob', ['careers.hibob.com'], USUAL],
  ['Gusto', ['jobs.gusto.com'], BROWSER],
  ['Dover', ['app.dover.com'], USUAL],
  ['JobDiva', ['jobdiva.com'], BROWSER],
  ['CEIPAL', ['ceipal.com'], BROWSER],
];

const BY_DOMAIN = new Map(
  VENDORS.flatMap(([vendor, domains, advice = USUAL]) => domains.map((domain) => [domain, { vendor, advice }])),
);
const HOST = /\/\/([\w.-]{4,200})/g;
const MAX_LOOKED = 5_000;

/** Those whose addresses stand in a text of any kind, each once. */
export function unsupportedIn(text: string): Hint[] {
  const found = new Map<string, Hint>();
  let looked = 0;
  for (const [address, host] of text.replace(/\\\//g, '/').matchAll(HOST)) {
    const known = knownBy(host!.toLowerCase());
    if (known !== undefined && !found.has(known.vendor))
      found.set(known.vendor, { ...known, evidence: `https:${address}` });
    if (++looked >= MAX_LOOKED) break;
  }
  return [...found.values()];
}

/** By its own name, or by that of one of the domains it lies in. */
function knownBy(host: string): Omit<Hint, 'evidence'> | undefined {
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const known = BY_DOMAIN.get(name);
    if (known !== undefined) return known;
  }
  return undefined;
}
