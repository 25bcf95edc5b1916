// How the replicas of shops answer.
import type { SandboxReply } from '../replica.ts';

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): SandboxReply => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
  headers,
});

export const html = (body: string, status = 200): SandboxReply => ({ status, type: 'text/html; charset=utf-8', body });

/** A whole number from a query, within limits. */
export function numberOf(text: string | null, fallback: number, max: number): number {
  const value = Number(text ?? fallback);
  return Number.isInteger(value) && value >= 0 ? Math.min(value, max) : fallback;
}
