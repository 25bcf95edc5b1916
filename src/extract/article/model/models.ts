// The trained forests as they are used.

import first from '../weights/first.json' with { type: 'json' };
import second from '../weights/second.json' with { type: 'json' };
import type { Models } from './decide.ts';
import { forestOf } from './forest.ts';

export const MODELS: Models = { first: forestOf(first), second: forestOf(second) };
