// A crawl of a site: where it begins, and how far it goes.
import { type Signal, useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { Field } from '../../parts/form/field.tsx';
import { lines } from './articles-form.tsx';
import { crawlExamples } from './examples.ts';
import { FormFrame } from './form-frame.tsx';
import type { Prefill } from './prefill.ts';
import { useSubmit } from './use-submit.ts';

const patterns = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : '');

export function CrawlForm({ prefill }: { prefill: Prefill | null }) {
  const before = prefill?.crawl ?? {};
  const url = useSignal(String(before.url ?? ''));
  const limit = useSignal(String(before.limit ?? 100));
  const depth = useSignal(String(before.maxDepth ?? 10));
  const include = useSignal(patterns(before.include));
  const exclude = useSignal(patterns(before.exclude));
  const { problem, isBusy, submit } = useSubmit();
  const body = {
    url: url.value.trim(),
    limit: Number(limit.value),
    max_depth: Number(depth.value),
    include_paths: lines(include.value),
    exclude_paths: lines(exclude.value),
  };
  const wrong = (field: string): string | undefined =>
    problem?.fields.find(({ pointer }) => pointer === `/${field}` || pointer.startsWith(`/${field}/`))?.detail;
  return (
    <FormFrame
      about="Follows the links and sitemaps of one site, as fast as the site allows, and scrapes the articles on the way."
      action="Crawl"
      isBusy={isBusy}
      isReady={body.url !== ''}
      problem={problem}
      examples={crawlExamples(location.origin, { ...body, url: body.url || 'https://example.com/' })}
      onExample={() => {
        url.value = 'https://n300.maze.example/';
        limit.value = '300';
        exclude.value = '/calendar';
      }}
      onSubmit={() =>
        void submit(body, async (idempotencyKey) => (await call('POST /crawl', { body, idempotencyKey })).run_id)
      }
    >
      <Field label="URL to begin with" id="crawl-url" isRequired problem={wrong('url')}>
        <Line id="crawl-url" value={url} wrong={wrong('url')} />
      </Field>
      <Field label="Most pages" id="crawl-limit" problem={wrong('limit')}>
        <Line id="crawl-limit" value={limit} wrong={wrong('limit')} isNumber />
      </Field>
      <Field
        label="Depth"
        id="crawl-depth"
        hint="Links from the first page on. 0: only that page."
        problem={wrong('max_depth')}
      >
        <Line id="crawl-depth" value={depth} wrong={wrong('max_depth')} isNumber />
      </Field>
      <Field
        label="Only pages that match, one pattern per line"
        id="crawl-include"
        hint="* stands for anything but /, ** for anything: /blog/**"
        problem={wrong('include_paths')}
      >
        <Text id="crawl-include" value={include} wrong={wrong('include_paths')} />
      </Field>
      <Field label="Not pages that match" id="crawl-exclude" problem={wrong('exclude_paths')}>
        <Text id="crawl-exclude" value={exclude} wrong={wrong('exclude_paths')} />
      </Field>
    </FormFrame>
  );
}

interface ControlProps {
  id: string;
  value: Signal<string>;
  wrong: string | undefined;
}

function Line({ id, value, wrong, isNumber = false }: ControlProps & { isNumber?: boolean }) {
  return (
    <input
      id={id}
      type="text"
      inputMode={isNumber ? 'numeric' : 'url'}
      aria-invalid={wrong !== undefined}
      aria-describedby={wrong ? `${id}-problem` : undefined}
      value={value.value}
      onInput={(event) => {
        value.value = event.currentTarget.value;
      }}
    />
  );
}

function Text({ id, value, wrong }: ControlProps) {
  return (
    <textarea
      id={id}
      rows={3}
      spellcheck={false}
      aria-invalid={wrong !== undefined}
      aria-describedby={wrong ? `${id}-problem` : undefined}
      value={value.value}
      onInput={(event) => {
        value.value = event.currentTarget.value;
      }}
    />
  );
}
