// Job types out of what sources call them, in a dozen languages. An unknown word is `other`, and nothing is never "full time".
// What a reader would get wrong: several types can stand in one text, and an internship comes first because that is what readers filter by.
import { createMemo } from '../../model/memo.ts';
import type { ContractKind, JobType } from '../../model/posting/posting.ts';
import words from './job-types.json' with { type: 'json' };

const PATTERNS = (Object.entries(words) as [JobType, string[]][]).map(([type, forms]) => ({
  type,
  pattern: new RegExp(`(?<![\\p{L}\\d])(?:${forms.join('|')})(?![\\p{L}])`, 'iu'),
}));
const NOTHING = /^(?:|n\/?a|none|null|unknown|not specified|not applicable|any|-)$/i;

/** From labels such as `FULL_TIME`, `Full-time, Contract` or `fulltime_fixed_term`; empty when there is nothing to read. */
export function jobTypes(labels: Iterable<string | null | undefined>): JobType[] {
  const found = new Set<JobType>();
  let hasUnknown = false;
  for (const label of labels) {
    if (!label) continue;
    for (const part of label.split(/[,;|]|\s\/\s/)) {
      const text = readable(part);
      if (NOTHING.test(text)) continue;
      const hits = PATTERNS.filter(({ pattern }) => pattern.test(text));
      for (const { type } of hits) found.add(type);
      hasUnknown ||= hits.length === 0;
    }
  }
  if (found.size === 0) return hasUnknown ? ['other'] : [];
  if (found.size > 1) found.delete('other');
  return [...found].sort((a, b) => rank(a) - rank(b));
}

/** What labels say of the contract: `CDI`, `befristet`, `freelance`. */
const CONTRACTS: [ContractKind, RegExp][] = [
  [
    'permanent',
    /(?<!\p{L})(?:permanent|unbefristet|festanstellung|cdi|indefinido|indeterminato|sem termo|onbepaalde tijd|nieokreślony)(?!\p{L})/iu,
  ],
  [
    'fixed_term',
    /(?<!\p{L})(?:fixed[ _-]?term|befristet|cdd|determinado|determinato|termo certo|bepaalde tijd|określony)(?!\p{L})/iu,
  ],
  [
    'freelance',
    /(?<!\p{L})(?:freelancer?|c2c|corp to corp|1099|b2b|tjm|indépendant|autónomo|zzp|partita iva)(?!\p{L})/iu,
  ],
  [
    'agency',
    /(?<!\p{L})(?:zeitarbeit|arbeitnehmerüberlassung|intérim|interim|somministrazione|uitzend\p{L}{0,20}|ett)(?!\p{L})/iu,
  ],
];

/** Labels of the source, or else what the text says. */
export function contractKinds(labels: Iterable<string | null | undefined>, inText: ContractKind[]): ContractKind[] {
  const said = [...labels].flatMap((label) => (label ? [label.slice(0, 200).replaceAll('_', ' ')] : [])).join(' | ');
  const found = CONTRACTS.flatMap(([kind, pattern]) => (pattern.test(said) ? [kind] : []));
  return found.length > 0 ? found : inText;
}

const rank = (type: JobType) => (type === 'internship' ? 0 : 1);

/** Types that a title states beyond doubt: "Intern", "Werkstudent", "(part-time)". Words such as "contract" may be what the work is about. */
export const jobTypesOfTitle = (title: string): JobType[] => [...titles(title, readTitle)];

const titles = createMemo<JobType[]>(10_000);

function readTitle(title: string): JobType[] {
  const found = jobTypes([
    title.replace(/\b(?:contract|permanent|temp|regular|stage|full(?![ -]?time)|part(?![ -]?time))s?\b/gi, ' '),
  ]);
  return found.filter((type) => type !== 'other');
}

/** `FullTime`, `FULL_TIME` and `full-time` all read `full time`. */
function readable(label: string): string {
  return label
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-‐–]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
