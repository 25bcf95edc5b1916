// Proxies of a request: how they may be written, which one an attempt uses, and how they are shown.
// What a reader would get wrong: the text of a proxy holds a password. It may be in a task, since a worker needs it, and nowhere that is shown.
import { hash } from 'node:crypto';
import type { FieldError } from '../errors.ts';

export const TASK_PROXIES_MAX = 50;
export const TASK_PROXY_CHARS = 500;

const HOST = String.raw`(?:\[[0-9a-f:.]+\]|[^\s/@:]+)`;
const FORMS = [
  new RegExp(`^(?:https?|socks5?h?)://(?:[^\\s/]+@)?(?<host>${HOST}(?::\\d{1,5})?)/?$`, 'i'),
  new RegExp(`^(?:[^\\s/]+@)?(?<host>${HOST}:\\d{1,5})$`, 'i'),
  /^(?<host>[^:/@\s]+:\d{1,5}):[^:@\s]+:[^@\s]+$/,
];

/** host:port, or null if it is not a proxy. `direct` is not allowed: a caller may not choose the address of the operator. */
export function proxyLabel(text: string): string | null {
  for (const form of FORMS) {
    const host = form.exec(text)?.groups?.host;
    if (host !== undefined) return host;
  }
  return null;
}

/** What is wrong with them, never with what they say. */
export function proxyErrors(proxies: readonly string[]): FieldError[] {
  return proxies.flatMap((text, index) =>
    proxyLabel(text) === null
      ? [{ pointer: `/proxies/${index}`, detail: 'has to be scheme://user:password@host:port' }]
      : [],
  );
}

/**
 * The proxy of one attempt: `proxy` of the task if it names one, else one of its `proxies`. Tasks begin with different ones, each with the same
 * whichever worker takes it, and every attempt moves on by one.
 */
export function proxyOfAttempt(task: {
  task_id: string;
  attempt: number;
  params: Record<string, unknown>;
}): string | undefined {
  const { proxy, proxies } = task.params;
  if (typeof proxy === 'string' && proxy !== '') return proxy;
  const all = Array.isArray(proxies) ? proxies.filter((one) => typeof one === 'string' && one !== '') : [];
  if (all.length === 0) return undefined;
  const first = Number.parseInt(hash('sha256', task.task_id, 'hex').slice(0, 8), 16);
  return all[(first + Math.max(task.attempt - 1, 0)) % all.length];
}
