// Keeps secrets out of log lines and replies: by the name of a field, and by the pattern of a URL with credentials. Proxies are shown as host:port. It
// works on a copy and goes only a few levels deep, so that a cyclic or huge object cannot block the process.
import { HIDDEN, hideInText, isSecretName } from '../model/secrets.ts';
import { proxyLabel } from '../model/task/task-proxies.ts';

/** `user:pass@host:port`, as proxies are often written. */
const CREDENTIALS_BEFORE_HOST = /(^|[\s,;"'=])[^\s,;"'@/:]{1,200}:[^\s,;"'@/]{1,200}@(?=[\w.[\]-])/g;
/** Their passwords come in forms that no pattern recognises, such as `host:port:user:password`. */
const PROXY_NAME = /^prox(?:y|ies)$/i;
const DEPTH_MAX = 4;
const ENTRIES_MAX = 50;
const TEXT_MAX = 4_000;

export function redactText(text: string): string {
  const short = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  const clean = hideInText(short);
  return clean.includes('@') ? clean.replace(CREDENTIALS_BEFORE_HOST, `$1${HIDDEN}@`) : clean;
}

export function redact(fields: object): Record<string, unknown> {
  return redactInto({}, fields, 0);
}

/** Adds the fields to what is there already. */
export function redactInto(clean: Record<string, unknown>, fields: object, depth = 0): Record<string, unknown> {
  let count = 0;
  for (const name of Object.keys(fields)) {
    if (count++ >= ENTRIES_MAX) break;
    const value = (fields as Record<string, unknown>)[name];
    const sense = senseOf(name);
    if (sense === 'proxy') clean[name] = proxyNames(value);
    else if (typeof value === 'string') clean[name] = sense === 'secret' ? HIDDEN : redactText(value);
    else clean[name] = typeof value === 'number' ? value : redactValue(value, depth + 1);
  }
  return clean;
}

type Sense = 'proxy' | 'secret' | 'plain';

/** Field names repeat with every line; the cache is limited, since callers may invent names. */
const senses = new Map<string, Sense>();
const SENSES_MAX = 1_000;

function senseOf(name: string): Sense {
  let sense = senses.get(name);
  if (sense === undefined) {
    sense = PROXY_NAME.test(name) ? 'proxy' : isSecretName(name) ? 'secret' : 'plain';
    if (senses.size < SENSES_MAX) senses.set(name, sense);
  }
  return sense;
}

function proxyNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map(proxyNames);
  if (typeof value === 'string') return proxyLabel(value) ?? HIDDEN;
  return value === null || value === undefined ? value : HIDDEN;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Error) return redactError(value, depth);
  if (depth >= DEPTH_MAX) return '[…]';
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map((entry) => redactValue(entry, depth + 1));
  return redactInto({}, value, depth);
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...(error.cause === undefined || depth >= DEPTH_MAX ? {} : { cause: redactValue(error.cause, depth + 1) }),
  };
}
