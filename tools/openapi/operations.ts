// The operations of the API by their ids, kept in a file so that none is renamed by accident: clients, and those who generated theirs, call them by id.
import { resolve } from 'node:path';

export const OPERATIONS_FILE = resolve(import.meta.dirname, 'operations.json');

/** `listRuns` → `GET /runs` */
export function operationsOf(document: Record<string, unknown>): Record<string, string> {
  const paths = document.paths as Record<string, Record<string, { operationId: string }>>;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`]),
  );
  return Object.fromEntries(all.sort(([a], [b]) => (a! < b! ? -1 : 1)));
}
