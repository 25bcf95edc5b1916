// Times in queries and bodies: a day or a time, in one notation only.
import { invalid } from './validators.ts';

export function timeOf(name: string, text: string, place: 'querystring' | 'body' = 'querystring'): Date {
  const ms = /^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d)?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    const detail = 'has to be a day (2026-11-15) or a time (2026-11-15T08:00:00Z)';
    throw invalid([{ pointer: `/${name}`, detail }], place);
  }
  return new Date(ms);
}
