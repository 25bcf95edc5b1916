// The request of the form in three other forms, to take along.
import { useSignal } from '@preact/signals';
import { Copyable } from '../../parts/copyable.tsx';
import type { Examples } from './examples.ts';

const FORMS = [
  ['curl', 'curl'],
  ['cli', 'Command line'],
  ['typescript', 'TypeScript'],
] as const;

export function SameAs({ examples }: { examples: Examples }) {
  const chosen = useSignal<keyof Examples>('curl');
  return (
    <section class="panel same-as" aria-label="The same as">
      <div class="line">
        <h2>The same as</h2>
        <span class="grow" />
        {FORMS.map(([form, label]) => (
          <button
            key={form}
            type="button"
            class="button small"
            aria-pressed={chosen.value === form}
            onClick={() => {
              chosen.value = form;
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <Copyable text={examples[chosen.value]} />
    </section>
  );
}
