// A JSON answer in the shape a source expects; anything else means that the site has changed.
import type { z } from 'zod';
import { AppError } from '../../model/errors.ts';

export function parseJson<T>(text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('layout_changed', 'the response is not JSON', { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new AppError('layout_changed', 'the JSON of the response does not have the expected fields', {
      cause: parsed.error,
    });
  }
  return parsed.data;
}
