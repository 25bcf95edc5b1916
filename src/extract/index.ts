// What the package offers as `windrow/extract`: facts out of HTML and text. The functions are pure: they fetch nothing, and answer null where the text
// does not say. The sources use the same ones.
//   import { extractArticle, parseSalary } from 'windrow/extract';
//   extractArticle(html, 'https://example.com/story').title
//   parseSalary('$120k - $150k a year', { country: 'US' })?.min
export type { JobLocation, Salary } from '../model/posting/posting.ts';
export { type ExtractedArticle, type ExtractOptions, extractArticle } from './article/index.ts';
export { type DateOptions, parseDate } from './dates.ts';
export { type LocationOptions, type Locations, parseLocation } from './location/location.ts';
export { type PriceOptions, type PriceReading, parsePrice } from './money/money.ts';
export { experienceYears, type Years } from './posting/experience.ts';
export { parseSalary, type SalaryOptions } from './salary/salary.ts';
