// JobSpy's rules for pay and places, as facts/job-fields.md describes them, so that both can be scored on the same strings.
// They are rewritten from that description: only what decides the outcome is here.

const RANGE = /\$(\d+(?:,\d+)?(?:\.\d+)?)([kK]?)\s*[-—–]\s*(?:\$)?(\d+(?:,\d+)?(?:\.\d+)?)([kK]?)/;
const HOURLY_BELOW = 350;
const MONTHLY_BELOW = 30_000;
const YEARLY_FROM = 1_000;
const YEARLY_TO = 700_000;

export interface Pay {
  min: number | null;
  max: number | null;
  interval: string | null;
}

export function jobspySalary(text: string): Pay | null {
  const match = RANGE.exec(text);
  if (!match) return null;
  const isThousands = match[2] !== '' || match[4] !== '';
  const amount = (written: string) => Math.trunc(Number(written.replaceAll(',', ''))) * (isThousands ? 1_000 : 1);
  const [min, max] = [amount(match[1]!), amount(match[3]!)];
  const yearly = (value: number) => (value < HOURLY_BELOW ? value * 2080 : value < MONTHLY_BELOW ? value * 12 : value);
  const isPlausible = yearly(min) >= YEARLY_FROM && yearly(max) <= YEARLY_TO && yearly(min) < yearly(max);
  if (!isPlausible) return null;
  return { min, max, interval: min < HOURLY_BELOW ? 'hour' : min < MONTHLY_BELOW ? 'month' : 'year' };
}

export interface BlockFeatures {
  city: string | null;
  country: string | null;
}

/** By commas alone: two parts are city and region (of the US, its default country), three end in a country. */
export function jobspyPlace(text: string, countryOf: (name: string) => string | null): BlockFeatures {
  const parts = text.split(', ');
  if (parts.length === 2) return { city: parts[0]!, country: 'US' };
  if (parts.length === 3) return { city: parts[0]!, country: countryOf(parts[2]!) };
  return { city: null, country: null };
}
