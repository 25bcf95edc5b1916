// The input of a dead letter with changes, checked by the schema of its source.
// What a reader would get wrong: secrets of the old input are shown as a mask, and a mask that comes back means the old value only for the same host. Otherwise
// whoever may retry could have them sent to a host of his own.
import { isDeepStrictEqual } from 'node:util';
import { editProblems } from '../../model/crawl/letters.ts';
import { hideSecrets, keepSecrets, masksIn } from '../../model/secrets.ts';
import type { SourceAbout } from '../../model/source/site.ts';
import type { DeadLetter } from '../../store/queue/dead-letters.ts';
import { invalid } from '../validation/validators.ts';
import { shownParams } from './schemas.ts';

/** `changes`: fields to set; null removes one. */
export function editedParams(
  letter: DeadLetter,
  changes: Record<string, unknown>,
  sources: readonly SourceAbout[],
): Record<string, unknown> {
  const shown = shownParams(letter.params);
  const edited: Record<string, unknown> = hideSecrets(letter.params);
  const changed = Object.entries(changes).filter(([name, value]) => !isDeepStrictEqual(value, shown[name]));
  const fixed = editProblems(
    letter,
    changed.map(([name]) => name),
  );
  if (fixed.length > 0) throw invalid(fixed);
  for (const [name, value] of changed) {
    if (value === null) delete edited[name];
    else edited[name] = value;
  }
  const params = keepSecrets(edited, letter.params);
  const masked = masksIn(params);
  if (masked.length > 0)
    throw invalid(masked.map((name) => ({ pointer: `/params/${name}`, detail: 'is hidden. Give its value again' })));
  const source = sources.find((one) => one.name === letter.source);
  if (!source)
    throw invalid([{ pointer: '/params', detail: `cannot be checked: there is no source ${letter.source}` }]);
  const errors = source.check(params);
  if (errors.length > 0) throw invalid(errors.map((one) => ({ ...one, pointer: `/params${one.pointer}` })));
  return params;
}
