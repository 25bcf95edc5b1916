// A cart: items near a ZIP code.
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { Field } from '../../parts/form/field.tsx';
import { plural } from '../../parts/text/words.ts';
import { lines } from './articles-form.tsx';
import { cartExamples } from './examples.ts';
import { FormFrame } from './form-frame.tsx';
import type { Prefill } from './prefill.ts';
import { useSubmit } from './use-submit.ts';

export function CartForm({ prefill }: { prefill: Prefill | null }) {
  const text = useSignal((prefill?.items ?? []).join('\n'));
  const zipcode = useSignal(prefill?.zipcode ?? '');
  const { problem, isBusy, submit } = useSubmit();
  const items = lines(text.value);
  const body = { items, zipcode: zipcode.value.trim() };
  const wrongIn = (name: string) => problem?.fields.find(({ pointer }) => pointer.startsWith(`/${name}`))?.detail;
  return (
    <FormFrame
      about="Finds each item in shops near a ZIP code, with prices and unit prices."
      action={items.length > 0 ? `Find ${plural(items.length, 'item')}` : 'Find'}
      isBusy={isBusy}
      isReady={items.length > 0 && body.zipcode !== ''}
      problem={problem}
      examples={cartExamples(location.origin, body)}
      onExample={() => {
        text.value = 'milk\neggs\nbread';
        zipcode.value = '10001';
      }}
      onSubmit={() =>
        void submit(body, async (idempotencyKey) => {
          const { job_id } = await call('POST /cart', { body, idempotencyKey });
          return job_id;
        })
      }
    >
      <Field label="Items, one per line" id="items" isRequired problem={wrongIn('items')}>
        <textarea
          id="items"
          rows={6}
          aria-invalid={wrongIn('items') !== undefined}
          aria-describedby={wrongIn('items') ? 'items-problem' : undefined}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </Field>
      <Field label="ZIP code" id="zipcode" isRequired hint="US, such as 10001." problem={wrongIn('zipcode')}>
        <input
          id="zipcode"
          type="text"
          inputMode="numeric"
          autocomplete="postal-code"
          aria-invalid={wrongIn('zipcode') !== undefined}
          aria-describedby={wrongIn('zipcode') ? 'zipcode-problem' : undefined}
          value={zipcode.value}
          onInput={(event) => {
            zipcode.value = event.currentTarget.value;
          }}
        />
      </Field>
    </FormFrame>
  );
}
