// Where each value of an item came from: the reader that found it, and the page.
import { Fragment } from 'preact';

interface Provenance {
  source_version: number | null;
  attempt: number | null;
  task_id: string | null;
  fields: Record<string, string>;
}

export function Origins({ provenance }: { provenance: Provenance | undefined }) {
  if (!provenance) return null;
  const fields = Object.entries(provenance.fields);
  return (
    <details>
      <summary>
        <b>Where the values came from</b>
      </summary>
      <p class="quiet small">
        {provenance.source_version !== null && `Version ${provenance.source_version} of the source`}
        {provenance.attempt !== null && `, attempt ${provenance.attempt}`}
        {provenance.task_id && (
          <>
            {' of task '}
            <code>{provenance.task_id}</code>
          </>
        )}
      </p>
      <dl class="facts">
        {fields.map(([field, origin]) => (
          <Fragment key={field}>
            <dt>{field.replaceAll('_', ' ')}</dt>
            <dd>{origin === 'unknown' ? <span class="quiet">not recorded</span> : <code>{origin}</code>}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}
