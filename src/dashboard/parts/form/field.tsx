// A labelled control, with what is wrong with it beside it.
import type { ComponentChildren } from 'preact';

interface FieldProps {
  label: string;
  /** The id of the control. */
  id: string;
  hint?: ComponentChildren;
  problem?: string | undefined;
  isRequired?: boolean;
  children: ComponentChildren;
}

export function Field({ label, id, hint, problem, isRequired = false, children }: FieldProps) {
  return (
    <div class={problem ? 'field wrong' : 'field'}>
      <label for={id}>
        {label}
        {isRequired && <span class="required"> required</span>}
      </label>
      {children}
      {problem && (
        <p class="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      {hint && !problem && <p class="hint">{hint}</p>}
    </div>
  );
}
