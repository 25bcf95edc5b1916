// A schema as its fields; those of objects within it are opened when they are wanted, since a schema may contain itself.
import { useSignal } from '@preact/signals';
import { type DocSchema, refName, typeText } from './document.ts';
import { withCode } from './operation.tsx';

interface SchemaTreeProps {
  schema: DocSchema;
  schemas: Record<string, DocSchema>;
}

function resolved(schema: DocSchema, schemas: SchemaTreeProps['schemas']): DocSchema {
  return schema.$ref ? (schemas[refName(schema.$ref)] ?? {}) : schema;
}

/** The object of which fields can be shown: of a list its entry, of a choice the first object. */
function objectIn(schema: DocSchema, schemas: SchemaTreeProps['schemas']): DocSchema | null {
  const plain = resolved(schema, schemas);
  if (plain.properties) return plain;
  if (plain.items) return objectIn(plain.items, schemas);
  for (const one of plain.anyOf ?? plain.oneOf ?? []) {
    const found = objectIn(one, schemas);
    if (found) return found;
  }
  return typeof plain.additionalProperties === 'object' ? objectIn(plain.additionalProperties, schemas) : null;
}

export function SchemaTree({ schema, schemas }: SchemaTreeProps) {
  const object = objectIn(schema, schemas);
  if (!object)
    return (
      <p>
        <code>{typeText(schema)}</code>
      </p>
    );
  const required = new Set(object.required ?? []);
  return (
    <dl class="fields">
      {Object.entries(object.properties ?? {}).map(([name, field]) => (
        <SchemaField key={name} name={name} field={field} isRequired={required.has(name)} schemas={schemas} />
      ))}
    </dl>
  );
}

interface SchemaFieldProps {
  name: string;
  field: DocSchema;
  isRequired: boolean;
  schemas: SchemaTreeProps['schemas'];
}

function SchemaField({ name, field, isRequired, schemas }: SchemaFieldProps) {
  const isOpen = useSignal(false);
  const inner = objectIn(field, schemas);
  return (
    <div>
      <dt>
        <code>{name}</code> {!isRequired && <span class="quiet small">optional</span>}
      </dt>
      <dd>
        <code class="quiet">{typeText(field)}</code>
        {field.default !== undefined && <span class="quiet small"> default {JSON.stringify(field.default)}</span>}
        {inner && (
          <button
            type="button"
            class="button small plain"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          >
            {isOpen.value ? 'Hide fields' : 'Fields'}
          </button>
        )}
        {field.description && <p>{withCode(field.description)}</p>}
        {isOpen.value && inner && <SchemaTree schema={inner} schemas={schemas} />}
      </dd>
    </div>
  );
}
