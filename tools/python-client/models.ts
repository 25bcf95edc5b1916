// Dataclasses for the schemas of replies. An object inside another has the name of its field after the name of the outer one.
import { type ApiDocument, className, literal, pythonName, refName, type Schema, typeOf } from './schema.ts';

/** Field that holds the entries of a page, as a path from the reply: where `next_cursor` is, and the first list beside it. */
export function itemsOf(schema: Schema, path: string[] = []): string[] | null {
  const fields = schema.properties ?? {};
  if (fields.next_cursor) {
    const list = Object.entries(fields).find(([, { type }]) => type === 'array');
    return list ? [...path, list[0]] : null;
  }
  return fields.data ? itemsOf(fields.data, [...path, 'data']) : null;
}

export function modelsOf({ components }: ApiDocument): string {
  const classes: string[] = [];
  const write = (name: string, schema: Schema): void => {
    const fields = Object.entries(schema.properties ?? {}).map(([field, of]) => {
      const isRequired = schema.required?.includes(field) ?? false;
      const type = typeOf(of, (object) => nested(`${name}${className(field)}`, object));
      const optional = isRequired ? type : `${withNone(type)} = None`;
      return { isRequired, line: `    ${pythonName(field)}: ${optional}${note(of)}` };
    });
    const items = itemsOf(schema);
    classes.push(
      [
        '@dataclass(kw_only=True)',
        `class ${name}(Model):`,
        ...(schema.description ? [`    ${docstring(schema.description)}`, ''] : []),
        ...(items
          ? [`    ITEMS: ClassVar[tuple[str, ...]] = (${items.map((one) => `${literal(one)},`).join(' ')})`, '']
          : []),
        ...fields.map(({ line }) => line),
        ...(fields.length === 0 ? ['    pass'] : []),
      ].join('\n'),
    );
  };
  const nested = (name: string, object: Schema): string => {
    if (object.$ref) return refName(object.$ref);
    write(name, object);
    return name;
  };
  const aliases: string[] = [];
  for (const [name, schema] of Object.entries(components.schemas)) {
    // Bodies are keyword arguments of their method.
    if (name.endsWith('Request')) continue;
    if (schema.properties) write(className(name), schema);
    else {
      const choices = (schema.anyOf ?? schema.oneOf ?? [schema]).map((one, i) =>
        typeOf(one, (object) => nested(`${className(name)}${i + 1}`, object)),
      );
      aliases.push(`${className(name)}: TypeAlias = ${choices.join(' | ')}`);
    }
  }
  return `${HEADER}\n\n${classes.join('\n\n\n')}\n${aliases.length > 0 ? `\n\n${aliases.join('\n')}\n` : ''}`;
}

const withNone = (type: string): string => (type === 'Any' || type.endsWith('None') ? type : `${type} | None`);
const note = ({ description }: Schema): string => (description ? `  # ${description.replace(/\s+/g, ' ')}` : '');
export const docstring = (text: string): string => `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""`;

const HEADER = `# Written by \`npm run python-client\` from the OpenAPI document. Do not edit.
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from .model import Model
`;
