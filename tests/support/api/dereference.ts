// An OpenAPI document with every reference replaced by what it refers to.
export function dereference<T>(document: T): T {
  const { schemas } = (document as { components: { schemas: Record<string, unknown> } }).components;
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (part === null || typeof part !== 'object') return part;
    const { $ref } = part as { $ref?: string };
    if ($ref !== undefined) return resolve(schemas[$ref.replace('#/components/schemas/', '')]);
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolve(value)]));
  };
  return resolve(document) as T;
}
