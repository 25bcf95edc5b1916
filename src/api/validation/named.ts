// Names of schemas in the OpenAPI document, for people and for the clients that are generated from it. They change nothing about how requests and replies are checked.
import type { z } from 'zod';

interface Named {
  name: string;
  /** What the document says of it, where the schema itself says less. */
  shown?: z.ZodType;
}

const names = new WeakMap<z.core.$ZodType, Named>();

/** Gives each schema its name. */
export function nameSchemas(schemas: Record<string, z.ZodType>): void {
  for (const [name, schema] of Object.entries(schemas)) names.set(schema, { name });
}

/** Where a serialiser needs to know little of a large item, the reader is told all of it. */
export function nameItem(name: string, schema: z.ZodType, shown: z.ZodType): void {
  names.set(schema, { name, shown });
}

export const nameOf = (schema: z.core.$ZodType): Named | undefined => names.get(schema);
