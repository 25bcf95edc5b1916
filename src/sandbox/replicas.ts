// Every replica of the sandbox web. A new one is one file and one line here.
import { BOARD_REPLICAS } from './boards/index.ts';
import { CAREER_REPLICAS } from './careers/index.ts';
import { maze } from './maze/replica.ts';
import { news } from './news/replica.ts';
import type { Replica } from './replica.ts';
import { SHOPS } from './shopping/index.ts';

export const REPLICAS: readonly Replica[] = [news, maze, ...BOARD_REPLICAS, ...CAREER_REPLICAS, ...SHOPS];
