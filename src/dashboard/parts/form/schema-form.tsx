// A form made from a JSON Schema, such as the parameters of a source. Every control is the browser's own; problems of the server stand at their fields.
import type { FieldProblem } from '../../api/problem.ts';
import { Field } from './field.tsx';
import { type FormField, fieldsOf, type JsonSchema, textOf, typedValue } from './json-schema.ts';

type Values = Record<string, unknown>;

interface SchemaFormProps {
  schema: JsonSchema;
  values: Values;
  onChange(values: Values): void;
  problems?: readonly FieldProblem[];
  /** Before the names in pointers: `/payload`. */
  prefix?: string;
  hidden?: readonly string[];
  /** Fields that are shown at once; the others are behind "More options". Required ones always are. */
  first?: readonly string[];
}

export function SchemaForm(props: SchemaFormProps) {
  const { schema, hidden = [], first, problems = [], prefix = '', values } = props;
  const fields = fieldsOf(schema, hidden);
  const problemOf = (name: string) => problems.find(({ pointer }) => pointer.startsWith(`${prefix}/${name}`))?.detail;
  const isFirst = ({ name, isRequired }: FormField) => !first || isRequired || first.includes(name);
  const rest = fields.filter((field) => !isFirst(field));
  const isUsed = rest.some(({ name }) => values[name] !== undefined || problemOf(name));
  const one = (field: FormField) => (
    <SchemaField key={field.name} field={field} form={props} problem={problemOf(field.name)} />
  );
  return (
    <div class="form-grid">
      {fields.filter(isFirst).map(one)}
      {rest.length > 0 && (
        <details class="more-options" open={isUsed}>
          <summary>More options ({rest.length})</summary>
          <div class="form-grid">{rest.map(one)}</div>
        </details>
      )}
    </div>
  );
}

interface SchemaFieldProps {
  field: FormField;
  form: SchemaFormProps;
  problem: string | undefined;
}

function SchemaField({ field, form, problem }: SchemaFieldProps) {
  const { name, label, hint, isRequired, schema, control, options } = field;
  const id = `field-${name}`;
  const value = form.values[name];
  const set = (next: unknown) => {
    const { [name]: _, ...others } = form.values;
    form.onChange(next === undefined ? others : { ...others, [name]: next });
  };
  const common = {
    id,
    name,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem ? `${id}-problem` : undefined,
  };
  if (control === 'check')
    return (
      <div class="field check">
        <label for={id}>
          <input
            {...common}
            type="checkbox"
            checked={(value ?? schema.default) === true}
            onChange={(event) =>
              set(event.currentTarget.checked === (schema.default === true) ? undefined : event.currentTarget.checked)
            }
          />
          {label}
        </label>
        {problem ? (
          <p class="field-problem" id={`${id}-problem`} role="alert">
            {problem}
          </p>
        ) : (
          hint && <p class="hint">{hint}</p>
        )}
      </div>
    );
  return (
    <Field label={label} id={id} hint={hint} problem={problem} isRequired={isRequired}>
      {control === 'choice' ? (
        <select {...common} required={isRequired} onChange={(event) => set(event.currentTarget.value || undefined)}>
          <option value="" selected={value === undefined}>
            {schema.default === undefined ? '–' : `${String(schema.default)} (default)`}
          </option>
          {options.map((option) => (
            <option key={option} value={option} selected={value === option}>
              {option}
            </option>
          ))}
        </select>
      ) : control === 'list' || control === 'json' ? (
        <textarea
          {...common}
          rows={control === 'list' ? 2 : 3}
          required={isRequired}
          placeholder={control === 'list' ? 'One per line' : '{ }'}
          value={textOf(value)}
          onChange={(event) => set(typedValue(field, event.currentTarget.value))}
        />
      ) : (
        <TextInput
          field={field}
          common={common}
          value={textOf(value)}
          onText={(text) => set(typedValue(field, text))}
        />
      )}
    </Field>
  );
}

interface TextInputProps {
  field: FormField;
  common: { id: string; name: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined };
  value: string;
  onText(text: string): void;
}

function TextInput({ field, common, value, onText }: TextInputProps) {
  const { control, isInteger, isRequired, schema } = field;
  const shared = {
    ...common,
    required: isRequired,
    placeholder: schema.default === undefined ? undefined : textOf(schema.default),
    value,
    onInput: (event: { currentTarget: HTMLInputElement }) => onText(event.currentTarget.value),
  };
  if (control === 'number')
    return (
      <input {...shared} type="number" min={schema.minimum} max={schema.maximum} step={isInteger ? undefined : 'any'} />
    );
  // Not `type="url"`: the server says what is wrong with an address, and the browser would say it differently.
  return (
    <input {...shared} type="text" maxLength={schema.maxLength} inputMode={control === 'url' ? 'url' : undefined} />
  );
}
