// Which market of a board is meant by a country. Boards have no market for every country; a country nobody knows is the caller's mistake.
import { countryFrom } from '../../extract/location/location.ts';
import { AppError } from '../../model/errors.ts';
import table from './markets.json' with { type: 'json' };

export interface Market {
  /** ISO code. */
  country: string;
  indeed: string;
  indeedCode: string;
  glassdoor: string | null;
}

interface Row {
  indeed: string;
  indeedCode: string;
  glassdoor?: string;
}

/** Those with a market of their own; Indeed takes others too, at an address made from their code. */
export const INDEED_COUNTRIES: readonly string[] = Object.keys(table.markets);
export const GLASSDOOR_COUNTRIES: readonly string[] = INDEED_COUNTRIES.filter(
  (code) => marketOf(code).glassdoor !== null,
);

export function marketOf(country: string | undefined): Market {
  const code = country === undefined ? 'US' : countryFrom(country);
  if (code === null) throw new AppError('invalid_params', `no country is called "${country}"`);
  const row = (table.markets as Record<string, Row>)[code];
  return {
    country: code,
    indeed: row?.indeed ?? code.toLowerCase(),
    indeedCode: row?.indeedCode ?? code,
    glassdoor: row?.glassdoor ?? null,
  };
}
