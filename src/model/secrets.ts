// Which values are secrets, and how settings are shown without them. Pure.
// What a reader would get wrong: a mask that comes back means "as it was", but only for the host it was stored for. Otherwise whoever may change a company
// could have its secrets sent to a host of his own.
import { isDeepStrictEqual } from 'node:util';

export const HIDDEN = '[redacted]';
const SECRET_NAMES = 'authorization|cookie|password|passwd|secret|api[-_]?key|token|ticket|credential';
const SECRET_NAME = new RegExp(`${SECRET_NAMES}|^key$`, 'i');
// Names are bounded, so that no text, however long, takes more than linear time.
const CREDENTIALS_IN_URL = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#@]+@/gi;
/** `?token=…`, and the same inside the text of a form; a placeholder such as `{cursor}` is none. */
const SECRET_IN_QUERY = new RegExp(
  `((?:^|[?&;\\s])(?:[\\w.-]{0,40}(?:${SECRET_NAMES})[\\w.-]{0,40}|key)=)(?!\\{)[^&#;\\s"']+`,
  'gi',
);
const SECRET_IN_JSON = new RegExp(`("[\\w.-]{0,40}(?:${SECRET_NAMES})[\\w.-]{0,40}"\\s*:\\s*")[^"{][^"]*(?=")`, 'gi');
const DEPTH_MAX = 10;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** A text without the credentials and secret parameters of URLs in it. */
export function hideInText(text: string): string {
  let clean = text;
  if (clean.includes('@')) clean = clean.replace(CREDENTIALS_IN_URL, `$1${HIDDEN}@`);
  if (clean.includes('=')) clean = clean.replace(SECRET_IN_QUERY, `$1${HIDDEN}`);
  return clean;
}

/** The same of the body of a request, which may be JSON. */
export const hideInBody = (body: string): string => hideInText(body).replace(SECRET_IN_JSON, `$1${HIDDEN}`);

type Settings = Record<string, unknown>;

/** Settings of a company, or parameters of its task, as they may be shown: no header has its value, nor has anything with the name of a secret. */
export function hideSecrets<T extends object>(settings: T): T {
  return hidden(settings, 0) as T;
}

function hidden(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return hideInBody(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return HIDDEN;
  if (Array.isArray(value)) return value.map((one) => hidden(one, depth + 1));
  return mapped(value as Settings, (one, name) => {
    if (one === null || one === undefined) return one;
    if (/^headers$/i.test(name)) return typeof one === 'object' ? mapped(one as Settings, () => HIDDEN) : HIDDEN;
    return isSecretName(name) ? HIDDEN : hidden(one, depth + 1);
  });
}

/** What was sent, with each mask replaced by what is stored there. */
export function keepSecrets<T extends Settings>(sent: T, stored: Settings): T {
  return placeOf(sent) === placeOf(stored) ? (kept(sent, stored, hideSecrets(stored)) as T) : sent;
}

function kept(sent: unknown, stored: unknown, shown: unknown): unknown {
  if (isDeepStrictEqual(sent, shown)) return stored;
  if (!isObject(sent) || !isObject(stored) || !isObject(shown)) return sent;
  return mapped(sent, (one, name) => (Object.hasOwn(stored, name) ? kept(one, stored[name], shown[name]) : one));
}

/** Where the settings send requests to. */
function placeOf({ scraper_type: type, url, host }: Settings): string {
  const at = typeof url === 'string' && URL.canParse(url) ? new URL(url).host : String(url);
  return `${String(type)} ${at} ${String(host)}`.toLowerCase();
}

/** Names of settings, with dots, that are still a mask. */
export function masksIn(settings: unknown, path = ''): string[] {
  if (typeof settings === 'string') return settings.includes(HIDDEN) ? [path] : [];
  if (typeof settings !== 'object' || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) => masksIn(value, path === '' ? name : `${path}.${name}`));
}

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapped = (settings: Settings, turn: (value: unknown, name: string) => unknown): Settings =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, turn(value, name)]));
