import { join } from 'node:path';
import { captureTests } from './captures.ts';
import { isCareerCapture, readCareer } from './careers.ts';

captureTests({
  folder: 'jobs',
  expected: join(import.meta.dirname, 'careers.json'),
  isCapture: isCareerCapture,
  read: readCareer,
});
