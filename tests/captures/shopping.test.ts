import { join } from 'node:path';
import { captureTests } from './captures.ts';
import { isShoppingCapture, readShopping } from './shopping.ts';

captureTests({
  folder: 'shopping',
  expected: join(import.meta.dirname, 'shopping.json'),
  isCapture: isShoppingCapture,
  read: readShopping,
});
