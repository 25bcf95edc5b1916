// The trained forests as they are used.
import type { Models } from './decide.ts';
import { FEATURES } from './features.ts';
import { forestOf, questionsOf } from './forest.ts';
import first from './weights/first.json' with { type: 'json' };
import second from './weights/second.json' with { type: 'json' };

const asked = new Set([...questionsOf(first), ...questionsOf(second)]);

export const MODELS: Models = {
  first: forestOf(first),
  second: forestOf(second),
  wanted: FEATURES.flatMap((_, i) => (asked.has(i) ? [i] : [])),
};
