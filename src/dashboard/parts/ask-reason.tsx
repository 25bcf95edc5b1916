// A button for what others will wonder about: it asks for a reason, which everyone is shown, and can be taken back.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { Field } from './form/field.tsx';
import { Icon, type IconName } from './icon.tsx';

interface AskReasonProps {
  label: string;
  icon: IconName;
  title: string;
  /** What happens, and what does not. */
  children: ComponentChildren;
  /** Who reads the reason. */
  hint: string;
  /** True when it was done. */
  onReason(reason: { reason?: string }): Promise<boolean>;
}

export function AskReason({ label, icon, title, children, hint, onReason }: AskReasonProps) {
  const isAsking = useSignal(false);
  const reason = useSignal('');
  const confirm = async () => {
    const text = reason.value.trim();
    if (await onReason(text === '' ? {} : { reason: text })) isAsking.value = false;
  };
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          isAsking.value = true;
        }}
      >
        <Icon name={icon} /> {label}
      </button>
      {isAsking.value && (
        <Dialog
          title={title}
          onClose={() => {
            isAsking.value = false;
          }}
          actions={
            <button type="button" class="button primary" onClick={() => void confirm()}>
              {label}
            </button>
          }
        >
          <p>{children}</p>
          <Field label="Reason" id="reason" hint={hint}>
            <input
              id="reason"
              type="text"
              maxLength={200}
              value={reason.value}
              onInput={(event) => {
                reason.value = event.currentTarget.value;
              }}
            />
          </Field>
        </Dialog>
      )}
    </>
  );
}
