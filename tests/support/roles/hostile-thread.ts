// A reading thread with the hostile sources.
import type { Source } from '../../../src/sources/define.ts';
import { answerReading } from '../../../src/worker/reading/inside.ts';
import { eager, hostile, wide } from './hostile-sources.ts';

const sources = new Map([hostile, eager, wide].map((one) => [one.name, one as unknown as Source]));
answerReading({ sourceOf: (name) => sources.get(name), settingOf: (source, name) => `${source} ${name}` });
