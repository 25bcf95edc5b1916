// What the forms of all kinds have in common: the form, what went wrong, the buttons, and the same request in other forms beside it.
import type { ComponentChildren } from 'preact';
import type { Problem } from '../../api/problem.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { session } from '../../shell/session.ts';
import type { Examples } from './examples.ts';
import { SameAs } from './same-as.tsx';

interface FormFrameProps {
  about: string;
  action: string;
  isBusy: boolean;
  isReady: boolean;
  problem: Problem | null;
  examples: Examples;
  onSubmit(): void;
  /** Puts a request into the form that the sandbox web answers. */
  onExample(): void;
  children: ComponentChildren;
}

export function FormFrame(props: FormFrameProps) {
  const { about, action, isBusy, isReady, problem, examples } = props;
  return (
    <div class="new-run">
      <form
        class="panel stack"
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        <p class="quiet">{about}</p>
        {props.children}
        {problem && <ProblemNote problem={problem} />}
        <div class="line">
          <button type="submit" class="button primary" disabled={isBusy || !isReady}>
            <Icon name="play" /> {isBusy ? 'Sending…' : action}
          </button>
          <button type="button" class="button" onClick={props.onExample}>
            Fill in an example
          </button>
        </div>
      </form>
      <div class="stack">
        <SameAs examples={examples} />
        {!session.value?.sandbox && <Sandbox />}
      </div>
    </div>
  );
}

function Sandbox() {
  return (
    <section class="panel stack">
      <h2>Without the internet</h2>
      <p class="quiet">
        The sandbox web answers for every site with generated pages. Start a second server on it, with data of its own:
      </p>
      <Copyable text="npx windrow up --sandbox --home /tmp/windrow-sandbox --port 8001" />
    </section>
  );
}
