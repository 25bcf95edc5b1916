// JSON from shops. The status is checked here, so that "rate limited", "closed" and "no such shop" are different errors.
import type { z } from 'zod';
import { AppError } from '../../model/errors.ts';

/** Parses a body that should be JSON; `about` begins the message ("shopify"). */
export function readJson<T>(body: string, schema: z.ZodType<T>, about: string): T {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw new AppError('layout_changed', `${about}: not_json`, { cause, details: { outcome: 'not_json' } });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError(
    'layout_changed',
    `${about}: unexpected_json (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`,
    { details: { outcome: 'unexpected_json' } },
  );
}

/** A number that may come as text. */
export function decimalText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return /^\d+(?:\.\d+)?$/.test(text) ? text : null;
}
