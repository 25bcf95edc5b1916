// The trained forests as they are used.

import { tokenReader } from '../page/tokens.ts';
import first from '../weights/first.json' with { type: 'json' };
import kinds from '../weights/kinds.json' with { type: 'json' };
import second from '../weights/second.json' with { type: 'json' };
import tokens from '../weights/tokens.json' with { type: 'json' };
import type { Models } from './decide.ts';
import { type Forest, forestOf } from './forest.ts';

export const MODELS: Models & { kinds: Forest[] } = {
  first: forestOf(first),
  second: forestOf(second),
  readTokens: tokenReader(tokens),
  kinds: kinds.map(forestOf),
};
