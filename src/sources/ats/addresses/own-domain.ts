// Systems that serve a company's own host and show only in what its pages load. Pure.
import type { Settings } from './address-rule.ts';

interface Sign {
  vendor: string;
  sign: RegExp;
  /** Its name in words. */
  title: string;
  settings?(url: URL): Record<string, string>;
}

const SIGNS: readonly Sign[] = [
  { vendor: 'recruitee', title: 'Recruitee', sign: /recruiteecdn\.com|window\.recruitee\b/i },
  { vendor: 'teamtailor', title: 'Teamtailor', sign: /teamtailor-cdn\.com/i },
  { vendor: 'phenom', title: 'Phenom', sign: /phenompeople\.com\/CareerConnectResources|\bphApp\.ddo\b/i },
  { vendor: 'jibe', title: 'iCIMS (Jibe)', sign: /(?:app|assets|cms)\.jibecdn\.com/i },
  { vendor: 'pinpoint', title: 'Pinpoint', sign: /\/\/[\w.-]{0,100}pinpointhq\.com\/assets\// },
  {
    vendor: 'successfactors',
    title: 'SAP SuccessFactors',
    sign: /rmkcdn\.successfactors\.com|\bj2w\.(?:init|SearchResults|Apply)|\.jobs2web\.com/i,
    settings(url) {
      const [brand, next] = url.pathname.split('/').filter((part) => part !== '');
      const isBrand = /^(?:search|job|content|go)$/.test(next ?? '') && /^[\w-]{1,100}$/.test(brand ?? '');
      return { host: url.hostname, ...(isBrand && { brand: brand! }) };
    },
  },
  {
    vendor: 'eightfold',
    title: 'Eightfold',
    sign: /\/\/(?:static|cdn|app)\.(?:vscdn\.net|eightfold\.ai)|id=["']smartApplyData["']/i,
    settings(url) {
      const domain = url.searchParams.get('domain');
      return { host: url.hostname, ...(domain !== null && /^[\w.-]{3,200}$/.test(domain) && { domain }) };
    },
  },
  {
    vendor: 'avature',
    title: 'Avature',
    sign: /\barticle--result\b|\bavature\.(?:wizard|portal)/i,
    settings: (url) => ({ url: url.origin + (/^.*\/SearchJobs/i.exec(url.pathname)?.[0] ?? '/careers/SearchJobs') }),
  },
];

/** What the page of a company shows of the system behind it. */
export function signsOn(text: string, address: string): { settings: Settings; title: string }[] {
  const url = new URL(address);
  return SIGNS.filter(({ sign }) => sign.test(text)).map(({ vendor, title, settings }) => ({
    settings: { scraper_type: vendor, ...(settings?.(url) ?? { host: url.hostname }) },
    title,
  }));
}
