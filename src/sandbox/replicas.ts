// Every replica of the pretend web. A new one is one file and one line here.
import { CAREER_REPLICAS } from './careers/index.ts';
import { news } from './news/replica.ts';
import type { Replica } from './replica.ts';
import { SHOPS } from './shopping/index.ts';

export const REPLICAS: readonly Replica[] = [news, ...CAREER_REPLICAS, ...SHOPS];
