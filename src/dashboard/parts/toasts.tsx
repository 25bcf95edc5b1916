// What just happened, at the edge of the page. What went well goes by itself; what failed stays until it is read.
import { signal } from '@preact/signals';
import { asProblem, type Problem } from '../api/problem.ts';
import { Icon } from './icon.tsx';
import { ProblemNote } from './problem.tsx';

interface Toast {
  id: number;
  text: string;
  problem?: Problem;
  link?: { href: string; label: string } | { onClick(): void; label: string };
}

const SHOWN_MS = 6_000;
const SHOWN_MAX = 4;
const toasts = signal<Toast[]>([]);
let nextId = 0;

function show(toast: Omit<Toast, 'id'>): number {
  const id = nextId++;
  toasts.value = [...toasts.value, { ...toast, id }].slice(-SHOWN_MAX);
  return id;
}

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

export function toast(text: string, link?: Toast['link']): void {
  const id = show({ text, ...(link ? { link } : {}) });
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function toastProblem(thrown: unknown): void {
  const problem = asProblem(thrown);
  show({ text: problem.message, problem });
}

/** Does it, and says what went wrong if it does; true when it was done. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    toastProblem(error);
    return false;
  }
  if (done) toast(done);
  return true;
}

export function Toasts() {
  return (
    <section class="toasts" aria-label="Messages" aria-live="polite">
      {toasts.value.map(({ id, text, problem, link }) => (
        <div key={id} class={problem ? 'toast bad' : 'toast'}>
          {problem ? (
            <ProblemNote problem={problem} />
          ) : (
            <p>
              <Icon name="check" /> {text} {link && 'href' in link && <a href={link.href}>{link.label}</a>}
              {link && 'onClick' in link && (
                <button
                  type="button"
                  class="button small"
                  onClick={() => {
                    dismiss(id);
                    link.onClick();
                  }}
                >
                  {link.label}
                </button>
              )}
            </p>
          )}
          <button type="button" class="button icon-only" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </section>
  );
}
