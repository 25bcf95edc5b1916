// Every replica of the pretend web. A new one is one file and one line here.
import { news } from './news/replica.ts';
import type { Replica } from './replica.ts';

export const REPLICAS: readonly Replica[] = [news];
