// Writes the operations of the API into their file: `npm run openapi`.
import { writeFileSync } from 'node:fs';
import { apiDocument } from '../dashboard/api-document.ts';
import { OPERATIONS_FILE, operationsOf } from './operations.ts';

writeFileSync(OPERATIONS_FILE, `${JSON.stringify(operationsOf(apiDocument()), null, 2)}\n`);
