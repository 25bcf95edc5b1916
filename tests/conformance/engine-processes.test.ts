// The same suite through HTTP, with every role a process of its own.
import { engineSuite } from './engine.ts';
import { openSeparateProcesses } from './separate-processes.ts';

engineSuite('as separate processes', openSeparateProcesses);
