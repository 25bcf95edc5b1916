// Takes our own secrets out of a page: a site may show a visitor his cookies, the key of his request, or the user name of his proxy.
// Only values that are known to be ours are looked for. What else the page has is the evidence.
import { HIDDEN, isSecretName } from '../secrets.ts';

/** Shorter ones would be found in any text. */
const MIN_CHARS = 4;
const MAX_SECRETS = 200;
const DEPTH_MAX = 6;

export function withoutKnownSecrets(text: string, secrets: Iterable<string>): { text: string; found: boolean } {
  const values = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < MIN_CHARS || values.size >= MAX_SECRETS) continue;
    values.add(secret).add(encodeURIComponent(secret.toWellFormed())).add(JSON.stringify(secret).slice(1, -1));
  }
  // The longest first: one may be part of another.
  const ordered = [...values].sort((a, b) => b.length - a.length);
  const clean = ordered.reduce((rest, value) => (rest.includes(value) ? rest.replaceAll(value, HIDDEN) : rest), text);
  return { text: clean, found: clean !== text };
}

/** Values in the parameters of a task that have the name of a secret, all of its headers, and credentials in its URLs. */
export function secretValues(params: unknown, depth = 0): string[] {
  if (typeof params === 'string') return credentialsIn(params);
  if (typeof params !== 'object' || params === null || depth > DEPTH_MAX) return [];
  return Object.entries(params).flatMap(([name, value]) => {
    if (/^prox(?:y|ies)$/i.test(name)) return textsIn(value).flatMap(proxySecrets);
    if (isSecretName(name) || /^headers$/i.test(name)) return textsIn(value);
    return secretValues(value, depth + 1);
  });
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value, ...value.split(/[ =]/)];
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}

/** User name and password, in a URL and in its query. */
export function credentialsIn(address: string): string[] {
  const url = address.includes('://') ? URL.parse(address) : null;
  if (url === null) return [];
  const query = [...url.searchParams].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  return [decoded(url.username), decoded(url.password), ...query].filter((value) => value !== '');
}

/** `user:password@host:port` and `host:port:user:password`, with and without a scheme. */
function proxySecrets(proxy: string): string[] {
  const [, , user = '', password = ''] = proxy.split(':');
  const known = credentialsIn(proxy.includes('://') ? proxy : `http://${proxy}`);
  return [...known, ...(proxy.includes('@') ? [] : [user, password])].filter((value) => value !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
