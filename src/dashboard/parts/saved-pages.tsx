// The pages that attempts saw before they failed. They are hostile documents: shown as text, or by the server in a sandbox of its own.
import { addressOf } from '../api/call.ts';
import { useAnswer } from '../live/answers.ts';
import { Icon } from './icon.tsx';
import { Time } from './text/time.tsx';
import { shorten } from './text/words.ts';

const SHOWN = 5;

/** Of a task, or of a run. */
export function SavedPages({ of }: { of: { task_id: string } | { run_id: string } }) {
  const { data } = useAnswer('GET /evidence', { query: { ...of, limit: SHOWN } }, { every: 0 });
  if (!data || data.evidence.length === 0) return null;
  return (
    <section>
      <h3>What it saw</h3>
      <ul class="plain-list">
        {data.evidence.map(({ id, url, status, attempt, captured_at, page, screenshot, left_out }) => (
          <li key={id} class="saved-page">
            <p class="cut">
              Attempt {attempt} · HTTP {status} · <Time at={captured_at} /> ·{' '}
              <span class="quiet">{shorten(url, 100)}</span>
            </p>
            <p class="line">
              {page && (
                <>
                  <a
                    class="button"
                    href={addressOf('GET /evidence/{id}/page', { path: { id } })}
                    target="_blank"
                    rel="noopener"
                  >
                    <Icon name="list" /> Source
                  </a>
                  <a
                    class="button"
                    href={addressOf('GET /evidence/{id}/page', { path: { id }, query: { as: 'document' } })}
                    target="_blank"
                    rel="noopener"
                  >
                    <Icon name="article" /> Page
                  </a>
                </>
              )}
              {left_out.map((text) => (
                <span key={text} class="quiet small">
                  {text}
                </span>
              ))}
            </p>
            {screenshot && (
              <a href={addressOf('GET /evidence/{id}/screenshot', { path: { id } })} target="_blank" rel="noopener">
                <img
                  class="screenshot"
                  src={addressOf('GET /evidence/{id}/screenshot', { path: { id } })}
                  alt={`Screenshot of attempt ${attempt}`}
                  loading="lazy"
                />
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
