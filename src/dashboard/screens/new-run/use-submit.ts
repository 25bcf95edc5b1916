// Sends a request once, however often the button is pressed: the same request has the same idempotency key until it was accepted. Then the page of the run.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { go } from '../../address/router.ts';
import { asProblem, type Problem } from '../../api/problem.ts';

export function useSubmit() {
  const problem = useSignal<Problem | null>(null);
  const isBusy = useSignal(false);
  const key = useRef<{ request: string; key: string } | null>(null);
  /** `request` tells requests apart; `work` returns the id of the run. */
  async function submit(request: unknown, work: (idempotencyKey: string) => Promise<string>): Promise<void> {
    if (isBusy.value) return;
    const text = JSON.stringify(request);
    if (key.current?.request !== text) key.current = { request: text, key: crypto.randomUUID() };
    isBusy.value = true;
    problem.value = null;
    try {
      go(`/ui/runs/${encodeURIComponent(await work(key.current.key))}`);
    } catch (error) {
      problem.value = asProblem(error);
    }
    isBusy.value = false;
  }
  return { problem: problem.value, isBusy: isBusy.value, submit };
}
