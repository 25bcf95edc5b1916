// A button that asks before it does something that cannot be undone.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { Icon, type IconName } from './icon.tsx';
import { attempt } from './toasts.tsx';

interface ConfirmProps {
  label: string;
  icon: IconName;
  title: string;
  /** What happens, and what does not. */
  children: ComponentChildren;
  done?: string;
  isDanger?: boolean;
  onConfirm(): Promise<unknown>;
}

export function Confirm({ label, icon, title, children, done, isDanger = true, onConfirm }: ConfirmProps) {
  const isAsking = useSignal(false);
  const isBusy = useSignal(false);
  const confirm = async () => {
    isBusy.value = true;
    if (await attempt(onConfirm, done)) isAsking.value = false;
    isBusy.value = false;
  };
  const tone = isDanger ? 'button danger' : 'button';
  return (
    <>
      <button
        type="button"
        class={tone}
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
            <button type="button" class={tone} disabled={isBusy.value} onClick={() => void confirm()}>
              {label}
            </button>
          }
        >
          {children}
        </Dialog>
      )}
    </>
  );
}
