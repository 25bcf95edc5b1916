// One operation: what it takes, what it answers, and a form to try it.
import type { ApiDocument, Operation, Parameter } from './document.ts';
import { typeText } from './document.ts';
import { SchemaTree } from './schema-tree.tsx';
import { TryIt } from './try-it.tsx';

export function OperationDetail({ operation, document }: { operation: Operation; document: ApiDocument }) {
  const { method, path, summary, description, parameters, body, replies } = operation;
  const { schemas } = document.components;
  return (
    <article class="stack">
      <header>
        <h2>{summary}</h2>
        <p class="line">
          <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
        </p>
        {description && <p class="description">{withCode(description)}</p>}
      </header>
      <TryIt operation={operation} />
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {body?.schema && (
        <section class="panel">
          <h3>Body</h3>
          <SchemaTree schema={body.schema} schemas={schemas} />
        </section>
      )}
      <section class="panel stack">
        <h3>Answers</h3>
        {replies.map(({ status, description: meaning, type, content }) => (
          <details key={status} open={status.startsWith('2')}>
            <summary>
              <b>{status}</b> {meaning}
            </summary>
            {content?.schema && (type?.endsWith('json') ?? false) && (
              <SchemaTree schema={content.schema} schemas={schemas} />
            )}
            {content && <Example content={content} />}
          </details>
        ))}
      </section>
    </article>
  );
}

function Example({ content }: { content: { example?: unknown; examples?: Record<string, { value: unknown }> } }) {
  const value = content.example ?? Object.values(content.examples ?? {})[0]?.value;
  if (value === undefined) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <pre class="example" tabIndex={0}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  );
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <section class="panel">
      <h3>Parameters</h3>
      <dl class="fields">
        {parameters.map(({ name, in: place, required, description, schema }) => (
          <div key={place + name}>
            <dt>
              <code>{name}</code>{' '}
              <span class="quiet small">
                {place}
                {required ? ', required' : ''}
              </span>
            </dt>
            <dd>
              <code class="quiet">{typeText(schema)}</code>
              {schema.default !== undefined && (
                <span class="quiet small"> default {JSON.stringify(schema.default)}</span>
              )}
              {description && <p>{withCode(description)}</p>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The document writes names in backquotes. */
export function withCode(text: string) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
