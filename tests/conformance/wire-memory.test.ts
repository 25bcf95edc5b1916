import { createMemoryWire } from '../../src/wire/memory.ts';
import { ABANDONED_MS, wireSuite } from './wire.ts';

wireSuite('the memory wire', async () => {
  const wire = createMemoryWire({ abandonedMs: ABANDONED_MS });
  return [wire, wire];
});
