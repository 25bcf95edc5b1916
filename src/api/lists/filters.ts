// Filters that several lists have, and how those of a request become those of the store.
import { z } from 'zod';
import { timeOf } from '../validation/times.ts';

export const SourcesFilter = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_,-]{0,400}$/)
  .optional()
  .meta({ description: 'One source, or several separated by commas.' });
export const NameFilter = z.string().min(1).max(200).optional();
export const TimeFilter = z.string().max(40).optional();
export const TextFilter = z.string().min(1).max(500).optional();
export const AmountFilter = z.number().min(0).max(1e12).optional();
export const CurrencyFilter = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .optional();
export const CountryFilter = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .optional();

/** The given filters under their names in the store; absent ones are left out. */
export function given<T extends object>(filter: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as T;
}

export const namesOf = (list: string | undefined): string[] | undefined =>
  list
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export const timeFilter = (name: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : timeOf(name, text).toISOString();
