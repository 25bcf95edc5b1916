// Articles by their URLs.
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { Field } from '../../parts/form/field.tsx';
import { plural } from '../../parts/text/words.ts';
import { articleExamples } from './examples.ts';
import { FormFrame } from './form-frame.tsx';
import type { Prefill } from './prefill.ts';
import { useSubmit } from './use-submit.ts';

const URLS_MAX = 10_000;
const EXAMPLE = [1, 2, 3].map((number) => `https://orchard-review.example/news/story-${number}`);

export const lines = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);

export function ArticlesForm({ prefill }: { prefill: Prefill | null }) {
  const text = useSignal((prefill?.urls ?? []).join('\n'));
  const isFresh = useSignal(false);
  const { problem, isBusy, submit } = useSubmit();
  const urls = lines(text.value);
  const more = isFresh.value ? { max_age_seconds: 0 } : {};
  const body = { articles: urls.map((url) => ({ url })), ...more };
  const wrong = problem?.fields.find(({ pointer }) => pointer.startsWith('/articles'));
  const place = Number(wrong?.pointer.split('/')[2]);
  return (
    <FormFrame
      about="Fetches each page and reads its title, text, author and date."
      action={urls.length > 0 ? `Scrape ${plural(urls.length, 'article')}` : 'Scrape'}
      isBusy={isBusy}
      isReady={urls.length > 0}
      problem={problem}
      examples={articleExamples(location.origin, urls.slice(0, 3), more)}
      onExample={() => {
        text.value = EXAMPLE.join('\n');
      }}
      onSubmit={() =>
        void submit(body, async (idempotencyKey) => {
          const { job_id } = await call('POST /jobs/submit', { body, idempotencyKey });
          return job_id;
        })
      }
    >
      <Field
        label="URLs, one per line"
        id="urls"
        isRequired
        hint={`At most ${URLS_MAX.toLocaleString('en')}.`}
        problem={wrong && (Number.isNaN(place) ? wrong.detail : `Line ${place + 1}: ${wrong.detail}`)}
      >
        <textarea
          id="urls"
          rows={10}
          spellcheck={false}
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong ? 'urls-problem' : undefined}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </Field>
      <div class="field check">
        <label for="fresh">
          <input
            id="fresh"
            type="checkbox"
            checked={isFresh.value}
            onChange={(event) => {
              isFresh.value = event.currentTarget.checked;
            }}
          />
          Scrape again even if already stored
        </label>
      </div>
    </FormFrame>
  );
}
