// A class for each tag of the document, with a method for each of its operations.
import { docstring } from './models.ts';
import {
  type ApiDocument,
  className,
  literal,
  type Operation,
  type Parameter,
  pythonName,
  refName,
  type Schema,
  typeOf,
} from './schema.ts';

const METHODS = ['get', 'post', 'patch', 'delete'];
/** For browsers: sockets, and signing in by cookie. */
const LEFT_OUT = new Set(['Session', 'WebSockets']);

interface Argument {
  name: string;
  key: string;
  type: string;
  isRequired: boolean;
  description?: string | undefined;
}

export function operationsOf({ paths, components }: ApiDocument): string {
  const groups = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const method of METHODS) {
      const operation = methods[method];
      const tag = operation?.tags[0];
      if (!operation || !tag || LEFT_OUT.has(tag)) continue;
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag)!.push(methodOf(path, method.toUpperCase(), operation, components.schemas));
    }
  const classes = [...groups].map(([tag, methods]) => `class ${className(tag)}(Group):\n${methods.join('\n\n')}\n`);
  const attributes = [...groups.keys()].map((tag) => `    ${pythonName(tag)}: ${className(tag)}`);
  const made = [...groups.keys()].map((tag) => `        self.${pythonName(tag)} = ${className(tag)}(call)`);
  return `${HEADER}

${classes.join('\n\n')}

class Groups:
    """The operations of the API by area."""

${attributes.join('\n')}

    def __init__(self, call: Call) -> None:
${made.join('\n')}
`;
}

function methodOf(path: string, method: string, operation: Operation, schemas: Record<string, Schema>): string {
  const body = bodyOf(operation, schemas);
  const inBody = new Set(body.fields.map(({ key }) => key));
  const parameters = (place: string): Argument[] =>
    (operation.parameters ?? [])
      // One reply has one form here: the other formats are for programs that read no JSON.
      .filter((one) => one.in === place && !isForFiles(one) && !inBody.has(one.name))
      .map((one) => argument(one.name, one.schema, place === 'path' || one.required === true, one.description));
  const inPath = parameters('path');
  const query = parameters('query');
  const named = [...body.fields, ...query].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const isIdempotent = (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
  const signature = [
    'self',
    ...inPath.map(({ name, type }) => `${name}: ${type}`),
    ...(body.isWhole ? ['body: Any'] : []),
    ...(named.length > 0 || isIdempotent ? ['*'] : []),
    ...named.map(({ name, type, isRequired }) => `${name}: ${type}${isRequired ? '' : ' = UNSET'}`),
    ...(isIdempotent ? ['idempotency_key: str | None = None'] : []),
  ];
  const reply = replyOf(operation);
  const described = [...inPath, ...named].filter(({ description }) => description);
  const text = [
    operation.summary ?? '',
    ...(described.length > 0 ? ['', ...described.map(({ name, description }) => `${name}: ${description}`)] : []),
  ].join('\n        ');
  const docs = docstring(described.length > 0 ? `${text}\n        ` : text).replaceAll(/[ ]+\n/g, '\n');
  const pairs = (all: Argument[]): string => `{${all.map(({ key, name }) => `${literal(key)}: ${name}`).join(', ')}}`;
  const bodyText = body.isWhole ? ', body=body' : operation.requestBody ? `, body=given(${pairs(body.fields)})` : '';
  return `    def ${pythonName(operation.operationId)}(
${signature.map((line) => `        ${line},`).join('\n')}
    ) -> ${reply}:
        ${docs}
        return self._call(${reply}, ${literal(method)}, ${literal(path)}, path_values=${pairs(inPath)}, query=given(${pairs(query)})${bodyText}${isIdempotent ? ', idempotency_key=idempotency_key or new_key()' : ''})`;
}

const isForFiles = ({ name, schema }: Parameter): boolean =>
  name === 'format' && schema.enum?.includes('json') === true;

const argument = (key: string, schema: Schema, isRequired: boolean, description?: string): Argument => ({
  name: pythonName(key),
  key,
  type: requestType(schema),
  isRequired,
  description: (description ?? schema.description)?.replace(/\s+/g, ' '),
});

const requestType = (schema: Schema): string => typeOf(schema, () => 'Mapping[str, Any]');

/** The fields of a body as arguments; a body that is no object is one argument. */
function bodyOf(operation: Operation, schemas: Record<string, Schema>): { fields: Argument[]; isWhole: boolean } {
  let schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return { fields: [], isWhole: false };
  if (schema.$ref) schema = schemas[schema.$ref.split('/').at(-1)!]!;
  const choices = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
  const { properties, required = [] } = choices[0]!;
  if (choices.length !== 1 || !properties) return { fields: [], isWhole: true };
  const fields = Object.entries(properties).map(([key, one]) => argument(key, one, required.includes(key)));
  return { fields, isWhole: false };
}

function replyOf({ responses }: Operation): string {
  const contents = Object.entries(responses).flatMap(([status, { content }]) =>
    Number(status) < 300 && content ? [content] : [],
  );
  const json = contents.flatMap((content) => content['application/json']?.schema ?? []);
  if (json.length > 0)
    return [...new Set(json.map((schema) => (schema.$ref ? `models.${refName(schema.$ref)}` : 'Any')))].join(' | ');
  return contents.some((content) => Object.keys(content).some((type) => type.startsWith('image/'))) ? 'bytes' : 'str';
}

const HEADER = `# Written by \`npm run python-client\` from the OpenAPI document. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from . import models
from .calls import UNSET, Call, Group, given, new_key
`;
