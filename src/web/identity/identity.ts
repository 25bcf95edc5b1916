// Who we claim to be. `honest` says Windrow and is sent by Node's own TLS; `browser` claims one named browser version, and then its TLS
// (impit), its client hints, its user agent and its plain-HTTP headers (header-generator) all say the same version and system.
// What a reader would get wrong: over plain HTTP browsers send no client hints, no sec-fetch headers and offer no br or zstd.
import { AppError } from '../../model/errors.ts';
import profiles from './profiles.json' with { type: 'json' };

export interface Profile {
  /** Name of impit's profile; always with its version, since the bare alias means an old one. */
  tls: string;
  browser: string;
  version: number;
  /** The version header-generator has headers of: the same one, or the nearest, whose number is then replaced. */
  headersLike: number;
  os: string;
  platform: string;
  /** What the user agent calls the system. */
  agentSystem: string;
  viewport: { width: number; height: number };
}

/** The product token robots.txt rules are looked up by, whatever we claim. */
export const AGENT_NAME = 'Windrow';
export const HONEST_USER_AGENT = `Mozilla/5.0 (compatible; ${AGENT_NAME}/0.1)`;

export function honestHeaders(userAgent: string, locale: string): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': acceptLanguage(locale),
    'accept-encoding': 'gzip, deflate, br, zstd',
  };
}

export function pickProfile(random: () => number): Profile {
  const profile = profiles[Math.floor(random() * profiles.length)] ?? profiles[0];
  if (profile === undefined) throw new AppError('internal', 'there are no browser profiles');
  return profile;
}

const TRIES = 20;
const ONLY_WHEN_SECURE = /^(sec-|priority$)/;

export interface BrowserHeaders {
  /** For addresses that are https but whose TLS is not ours to make (host map). */
  secure: Record<string, string>;
  plain: Record<string, string>;
}

/** A browser's navigation headers in that browser's order. Loads header-generator on first use: its data weighs 30 MB. */
export async function browserHeaders(profile: Profile, locale: string): Promise<BrowserHeaders> {
  const { HeaderGenerator } = await import('header-generator');
  const generator = new HeaderGenerator({
    browsers: [
      {
        name: profile.browser as 'chrome',
        minVersion: profile.headersLike,
        maxVersion: profile.headersLike,
        httpVersion: '2',
      },
    ],
    operatingSystems: [profile.os as 'macos'],
    devices: ['desktop'],
    locales: [locale],
    strict: true,
  });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const headers: Record<string, string> = {
      ...withVersion(generator.getHeaders(), profile),
      'accept-language': acceptLanguage(locale),
      'sec-fetch-site': 'none',
    };
    if (!contradicts(profile, headers)) return { secure: headers, plain: overPlainHttp(headers) };
  }
  throw new AppError('internal', `no consistent headers were generated for ${profile.tls}`);
}

function withVersion(headers: Record<string, string>, profile: Profile): Record<string, string> {
  const from = String(profile.headersLike);
  const to = String(profile.version);
  const named = ['user-agent', 'sec-ch-ua'].filter((name) => headers[name] !== undefined);
  return { ...headers, ...Object.fromEntries(named.map((name) => [name, (headers[name] ?? '').replaceAll(from, to)])) };
}

function overPlainHttp(headers: Record<string, string>): Record<string, string> {
  const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => !ONLY_WHEN_SECURE.test(name)));
  return { ...plain, 'accept-encoding': 'gzip, deflate' };
}

/** What in these headers does not fit the profile; null when all of it does. Exported for the test that watches what leaves us. */
export function contradicts(profile: Profile, headers: Record<string, string>): string | null {
  const agent = headers['user-agent'] ?? '';
  const hints = headers['sec-ch-ua'];
  const platform = headers['sec-ch-ua-platform'];
  if (!agent.includes(`Chrome/${profile.version}.`)) return 'user agent of another version';
  if (!agent.includes(profile.agentSystem)) return 'user agent of another system';
  if (hints !== undefined && !hints.includes(`"Google Chrome";v="${profile.version}"`))
    return 'client hints of another browser';
  if (hints !== undefined && !hints.includes(`"Chromium";v="${profile.version}"`))
    return 'client hints of another version';
  if (platform !== undefined && platform !== `"${profile.platform}"`) return 'client hints of another system';
  if (headers['sec-ch-ua-mobile'] === '?1') return 'client hints of a mobile browser';
  return null;
}

/** `de-DE` as a browser set to it writes the header. */
export function acceptLanguage(locale: string): string {
  const language = locale.split('-')[0] ?? locale;
  const own = language === locale ? locale : `${locale},${language};q=0.9`;
  return language === 'en' ? own : `${own},en;q=0.8`;
}
