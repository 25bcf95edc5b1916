// Schemas are written once, in zod. Here they become JSON Schema: draft 7 for Fastify's compiled validators and serialisers, 2020-12 for OpenAPI 3.1.
// zod itself never runs on a request, so what JSON Schema cannot say (refine, transform, trim, coerce) would be ignored: ignored-rules.ts finds it, and the
// server does not start.
import { z } from 'zod';
import { createRuleCheck } from './ignored-rules.ts';

export type JsonSchema = Record<string, unknown>;

type Io = 'input' | 'output';

/** For a validator: what a caller may leave out has its default. Throws when a part of it would be ignored. */
export const requestSchema = (schema: z.ZodType): JsonSchema => draft7(schema, 'input');

/** For a serialiser. Throws when a part of it would be ignored. */
export const replySchema = (schema: z.ZodType): JsonSchema => draft7(schema, 'output');

/** For the OpenAPI document. */
export function documentSchema(schema: z.ZodType, io: Io): JsonSchema {
  return withoutDialect(
    z.toJSONSchema(schema, { io, reused: 'inline', override: ({ jsonSchema }) => joinNull(jsonSchema) }),
  );
}

function draft7(schema: z.ZodType, io: Io): JsonSchema {
  const rules = createRuleCheck();
  const made = z.toJSONSchema(schema, {
    io,
    target: 'draft-7',
    reused: 'inline',
    // Looked at by the rule check, which can name the field.
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema, path }) {
      rules.see(zodSchema, path);
      joinNull(jsonSchema);
    },
  });
  const ignored = rules.ignored();
  if (ignored.length > 0)
    throw new Error(`JSON Schema cannot express these rules, so they would be ignored: ${ignored.join(', ')}`);
  return withoutDialect(made);
}

/** `anyOf [T, null]` as `type: [T, null]`: the same meaning, and the serialiser need not try one after the other. */
function joinNull(schema: JsonSchema): void {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return;
  const [main, other] = schema.anyOf as [JsonSchema, JsonSchema];
  if (other.type !== 'null' || typeof main.type !== 'string' || main.enum !== undefined || main.type === 'object')
    return;
  delete schema.anyOf;
  Object.assign(schema, main, { type: [main.type, 'null'] });
}

function withoutDialect({ $schema: _dialect, ...rest }: JsonSchema): JsonSchema {
  return rest;
}
