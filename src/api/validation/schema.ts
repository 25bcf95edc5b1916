// Schemas are written once, in zod. Here they become JSON Schema: draft 7 for Fastify's compiled validators and serialisers, 2020-12 for OpenAPI 3.1.
// zod itself never runs on a request, so what JSON Schema cannot say (refine, transform, trim, coerce) would be ignored: ignored-rules.ts finds it, and the
// server does not start.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { createRuleCheck } from './ignored-rules.ts';
import { nameOf } from './named.ts';

export type JsonSchema = Record<string, unknown>;

type Io = 'input' | 'output';

/** For a validator: what a caller may leave out has its default. Throws when a part of it would be ignored. */
export const requestSchema = (schema: z.ZodType): JsonSchema => draft7(schema, 'input');

/** For a serialiser. Throws when a part of it would be ignored. */
export const replySchema = (schema: z.ZodType): JsonSchema => draft7(schema, 'output');

/** Marks a schema that has a name, until `hoistNames` puts a reference in its place. */
export const NAME = 'x-name';

/** For the OpenAPI document. */
export function documentSchema(schema: z.ZodType, io: Io): JsonSchema {
  return withoutDialect(
    z.toJSONSchema(schema, {
      io,
      reused: 'inline',
      override({ zodSchema, jsonSchema }) {
        joinNull(jsonSchema);
        const found = nameOf(zodSchema);
        if (!found) return;
        if (found.shown) {
          for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
          Object.assign(jsonSchema, documentSchema(found.shown, io));
        }
        jsonSchema[NAME] = found.name;
      },
    }),
  );
}

/** Moves schemas that have a name into `schemas`, and leaves references to them. */
export function hoistNames(part: unknown, schemas: Record<string, JsonSchema>): unknown {
  if (Array.isArray(part)) return part.map((one) => hoistNames(one, schemas));
  if (part === null || typeof part !== 'object') return part;
  const { [NAME]: name, ...rest } = part as JsonSchema;
  const made = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoistNames(value, schemas)]));
  if (typeof name !== 'string') return made;
  if (schemas[name] && !isDeepStrictEqual(schemas[name], made))
    throw new Error(
      `two different schemas have the name ${name}: in a request and in a reply it may mean different things`,
    );
  schemas[name] = made;
  return { $ref: `#/components/schemas/${name}` };
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
