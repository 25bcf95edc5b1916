// The trained forests as they are used.
import type { Models } from './decide.ts';
import { forestOf } from './forest.ts';
import first from './weights/first.json' with { type: 'json' };
import second from './weights/second.json' with { type: 'json' };

export const MODELS: Models = { first: forestOf(first), second: forestOf(second) };
