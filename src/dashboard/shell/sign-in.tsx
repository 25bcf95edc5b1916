// The page for those who are not signed in: a key is exchanged for a session, which scripts cannot read.
import { useSignal } from '@preact/signals';
import { asProblem, type Problem } from '../api/problem.ts';
import { Field } from '../parts/form/field.tsx';
import { Logo } from './logo.tsx';
import { signIn } from './session.ts';

export function SignIn() {
  const key = useSignal('');
  const problem = useSignal<Problem | null>(null);
  const isBusy = useSignal(false);
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    isBusy.value = true;
    try {
      await signIn(key.value.trim());
    } catch (error) {
      problem.value = asProblem(error);
    }
    isBusy.value = false;
  }
  return (
    <main class="sign-in">
      <form class="panel" onSubmit={(event) => void submit(event)}>
        <Logo />
        <h1>Sign in</h1>
        <p class="quiet">
          This server needs an API key. It is exchanged for a session of this browser, and not kept here.
        </p>
        <Field label="API key" id="key" problem={problem.value?.message}>
          <input
            id="key"
            name="key"
            type="password"
            autocomplete="current-password"
            required
            aria-invalid={problem.value !== null}
            aria-describedby={problem.value ? 'key-problem' : undefined}
            value={key.value}
            onInput={(event) => {
              key.value = event.currentTarget.value;
            }}
          />
        </Field>
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Signing in…' : 'Sign in'}
        </button>
        <p class="hint">
          No key? An operator of the server makes one: <code>npx windrow keys create</code>
        </p>
      </form>
    </main>
  );
}
