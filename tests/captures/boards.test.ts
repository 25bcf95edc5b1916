import { join } from 'node:path';
import { isBoardCapture, readBoard } from './boards.ts';
import { captureTests } from './captures.ts';

captureTests({
  folder: 'jobs',
  expected: join(import.meta.dirname, 'boards.json'),
  isCapture: isBoardCapture,
  read: readBoard,
});
