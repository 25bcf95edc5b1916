// A request to this server with the session of the page. What changes something is sent only when the button says so.
import { useSignal } from '@preact/signals';
import { Copyable } from '../../parts/copyable.tsx';
import { Field } from '../../parts/form/field.tsx';
import { bytes, shorten } from '../../parts/text/words.ts';
import { curlOf, type Operation, typeText } from './document.ts';

interface Outcome {
  status: string;
  ms: number;
  size: number;
  text: string;
}

const SHOWN_MAX = 50_000;
const LIMIT_MS = 60_000;

function pathWith({ path, parameters }: Operation, values: Record<string, string>): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  );
  const search = new URLSearchParams();
  for (const { name, in: place } of parameters) if (place === 'query' && values[name]) search.set(name, values[name]);
  return search.size === 0 ? filled : `${filled}?${search}`;
}

async function send(
  operation: Operation,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<Outcome> {
  const began = performance.now();
  const reply = await fetch(path, {
    method: operation.method,
    headers: { accept: 'application/json', ...headers, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
    credentials: 'same-origin',
    signal: AbortSignal.timeout(LIMIT_MS),
    ...(body === '' ? {} : { body }),
  });
  const text = await reply.text();
  return {
    status: `${reply.status} ${reply.statusText}`,
    ms: performance.now() - began,
    size: text.length,
    text: shorten(pretty(text), SHOWN_MAX),
  };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function TryIt({ operation }: { operation: Operation }) {
  const example = operation.body?.example;
  const values = useSignal<Record<string, string>>({});
  const body = useSignal(operation.body ? JSON.stringify(example ?? {}, null, 2) : '');
  const outcome = useSignal<Outcome | string | null>(null);
  const isBusy = useSignal(false);
  // WebSockets are not opened here.
  if (operation.path.startsWith('/ws') && operation.method === 'GET') return null;
  const path = pathWith(operation, values.value);
  const missing = operation.parameters.filter(({ in: place, name }) => place === 'path' && !values.value[name]);
  const headers = Object.fromEntries(
    operation.parameters.flatMap(({ in: place, name }) =>
      place === 'header' && values.value[name] ? [[name, values.value[name]]] : [],
    ),
  );
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    isBusy.value = true;
    try {
      outcome.value = await send(operation, path, body.value, headers);
    } catch (error) {
      outcome.value = error instanceof Error ? error.message : String(error);
    }
    isBusy.value = false;
  }
  return (
    <form class="panel stack" onSubmit={(event) => void submit(event)}>
      <h3>Try it</h3>
      {operation.parameters.length > 0 && (
        <div class="form-grid">
          {operation.parameters.map(({ name, in: place, required, schema }) => (
            <Field key={place + name} label={name} id={`try-${name}`} isRequired={required ?? false}>
              <input
                id={`try-${name}`}
                type="text"
                required={required}
                placeholder={shorten(typeText(schema), 60)}
                value={values.value[name] ?? ''}
                onInput={(event) => {
                  values.value = { ...values.value, [name]: event.currentTarget.value };
                }}
              />
            </Field>
          ))}
        </div>
      )}
      {operation.body && (
        <Field label="Body" id="try-body">
          <textarea
            id="try-body"
            class="mono"
            rows={Math.min(16, body.value.split('\n').length + 1)}
            spellcheck={false}
            value={body.value}
            onInput={(event) => {
              body.value = event.currentTarget.value;
            }}
          />
        </Field>
      )}
      <Copyable text={curlOf(operation, location.origin, { path, body: body.value })} label="Copy the command" />
      <p class="line">
        <button type="submit" class="button primary" disabled={isBusy.value || missing.length > 0}>
          {isBusy.value ? 'Sending…' : `Send ${operation.method}`}
        </button>
        {operation.method !== 'GET' && <span class="quiet">This is done on this server.</span>}
      </p>
      {outcome.value !== null && <Answered outcome={outcome.value} />}
    </form>
  );
}

function Answered({ outcome }: { outcome: Outcome | string }) {
  if (typeof outcome === 'string')
    return (
      <p class="text-bad" role="alert">
        {outcome}
      </p>
    );
  return (
    <div role="status">
      <p class="line">
        <b>{outcome.status}</b>
        <span class="quiet">
          {Math.round(outcome.ms)} ms, {bytes(outcome.size)}
        </span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <pre class="example" tabIndex={0}>
        {outcome.text}
      </pre>
    </div>
  );
}
