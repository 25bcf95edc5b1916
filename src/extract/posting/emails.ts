// Email addresses of people in a text. Image names, examples and aliases of applicant systems are left out.
import { stripEnd } from '../strip.ts';

const EMAIL = /(?<![\w.+-])([a-z0-9][\w.+-]{0,63})@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24})(?![\w-])/gi;
const FILE = /\.(?:png|jpe?g|gif|webp|svg|css|js|ico)$/i;
const NOBODY = /(?:^|\.)(?:example\.(?:com|org|net)|applynow\.io|recruitee\.com|sentry\.io|email\.com|domain\.com)$/i;
const MAX = 20;

export function emailsIn(text: string): string[] {
  const found = new Set<string>();
  if (!text.includes('@')) return [];
  for (const [, name, host] of text.slice(0, 60_000).matchAll(EMAIL)) {
    const domain = host!.toLowerCase();
    if (FILE.test(domain) || NOBODY.test(domain) || found.size >= MAX) continue;
    found.add(`${stripEnd(name!, '.')}@${domain}`);
  }
  return [...found];
}
