// How one is employed: permanent or for a fixed term, freelance, through an agency, and whether for all of the week.
// What a reader would get wrong: contracts are also what people work with. "Gestion des CDD" is a task, and "keine Zeitarbeit" is none.
import type { ContractKind, JobType } from '../../../model/posting/posting.ts';
import type { Sentence } from './sentences.ts';
import type { Mark } from './vocabulary.ts';

const KINDS: readonly string[] = ['permanent', 'fixed_term', 'freelance', 'agency'] satisfies ContractKind[];
const TYPES: readonly string[] = ['full_time', 'part_time'] satisfies JobType[];
/** "Job type: full-time, permanent": only in a line this short a bare word is a label. */
const LABEL_WORDS = 7;
/** "Fixed-term contract until December 2027, full-time". */
const SHORT_WORDS = 12;

/** "permanent, full-time": each shows what the other is. */
const isBeside = (a: Mark, b: Mark): boolean => (a.end === b.start || b.end === a.start) && isHours(a) !== isHours(b);
const isHours = ({ kind }: Mark): boolean => kind.endsWith('_time');

export interface Employment {
  kinds: ContractKind[];
  types: JobType[];
}

export function employmentOf(sentence: Sentence): Employment {
  const found: Employment = { kinds: [], types: [] };
  const marks = sentence.marks.filter(({ concept }) => concept === 'contract');
  if (marks.length === 0 || sentence.isQuestion || marks.some(({ kind }) => kind === 'elsewhere')) return found;
  const isLabel = sentence.words.length <= LABEL_WORDS;
  const isShort = sentence.words.length <= SHORT_WORDS && marks.some(({ kind }) => KINDS.includes(kind));
  for (const mark of marks) {
    const isShown = isLabel || (isShort && isHours(mark)) || marks.some((other) => isBeside(mark, other));
    if (mark.kind.startsWith('label ') && !isShown) continue;
    const isDenied = sentence.marks.some(
      ({ kind, end }) => kind === 'not' && end <= mark.start && mark.start - end < 2,
    );
    if (isDenied) continue;
    const kind = mark.kind.replace('label ', '');
    if (KINDS.includes(kind)) found.kinds.push(kind as ContractKind);
    else if (TYPES.includes(kind)) found.types.push(kind as JobType);
  }
  return found;
}
