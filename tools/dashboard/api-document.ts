// The OpenAPI document of the route table, without a server.
import { AREAS } from '../../src/api/areas.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import { openapiDocument } from '../../src/api/docs/openapi.ts';

/** Routes are made from their dependencies and only described here: whatever a factory reads of them is this again. */
const anything: unknown = new Proxy(() => {}, { get: () => anything, apply: () => anything });
const LISTS = { sources: [], moduleProblems: [], catalogue: { all: () => [] }, careers: { types: () => [] } };
const noDeps = new Proxy(LISTS, {
  get: (known, name) => (name in known ? known[name as keyof typeof known] : anything),
}) as unknown as ApiDeps;

export const apiDocument = () =>
  openapiDocument(
    AREAS.flatMap((area) => area(noDeps)),
    '',
  );
