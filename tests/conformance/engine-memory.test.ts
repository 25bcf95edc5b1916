// The engine in one process over the memory wire, as `windrow up` runs it without Redis.
import { createMemoryWire } from '../../src/wire/memory.ts';
import { engineSuite } from './engine.ts';
import { openOneProcess } from './one-process.ts';

engineSuite('in one process over memory', () => openOneProcess({ wire: createMemoryWire() }));
