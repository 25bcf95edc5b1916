// What a description asks of people and offers them as employment, in eight languages: years, degree, visa sponsorship, kind of contract. One pass over the text.
// What a reader would get wrong: null and empty mean that the text says nothing; "none" and `false` are facts it states.
import type { ContractKind, Degree, JobType } from '../../../model/posting/posting.ts';
import { experienceYears, type Years } from '../experience.ts';
import { employmentOf } from './contract.ts';
import { degreeOf, lowest } from './degree.ts';
import { sentencesOf } from './sentences.ts';
import { sponsorshipOf } from './sponsorship.ts';
import { needsNoExperience, yearsOf } from './years.ts';

export interface Requirements {
  experience_years: Years | null;
  degree: Degree | null;
  visa_sponsorship: boolean | null;
  contract_kinds: ContractKind[];
  /** Full or part time, for a posting whose source does not say. */
  job_types: JobType[];
}

export function requirementsOf(text: string): Requirements {
  const degrees: Degree[] = [];
  const visas = new Set<boolean>();
  const kinds = new Set<ContractKind>();
  const types = new Set<JobType>();
  let years = experienceYears(text);
  let isForBeginners = false;
  for (const sentence of sentencesOf(text)) {
    const degree = degreeOf(sentence);
    if (degree !== null) degrees.push(degree);
    const visa = sponsorshipOf(sentence);
    if (visa !== null) visas.add(visa);
    const employment = employmentOf(sentence);
    for (const kind of employment.kinds) kinds.add(kind);
    for (const type of employment.types) types.add(type);
    const found = yearsOf(sentence);
    // Of several requirements the largest minimum counts.
    if (found !== null && (years === null || (found.min ?? -1) > (years.min ?? -1))) years = found;
    isForBeginners ||= needsNoExperience(sentence);
  }
  return {
    experience_years: years ?? (isForBeginners ? { min: 0, max: null } : null),
    degree: lowest(degrees),
    // A text that says both means other people, or other countries.
    visa_sponsorship: visas.size === 1 ? [...visas][0]! : null,
    contract_kinds: [...kinds],
    job_types: [...types],
  };
}
