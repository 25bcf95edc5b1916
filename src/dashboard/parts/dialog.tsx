// A dialog: the browser's own, which keeps the focus inside and closes with Escape.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  /** Buttons, the one that does it last. */
  actions?: ComponentChildren;
  className?: string;
}

export function Dialog({ title, onClose, children, actions, className = '' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
    // Not the button that closes it, which is the first of all.
    element.current?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea):not(:disabled)')?.focus();
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${className}`}
      aria-label={title}
      onClose={onClose}
      onMouseDown={(event) => {
        if (event.target === element.current) element.current?.close();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button
          type="button"
          class="button icon-only plain"
          aria-label="Close"
          onClick={() => element.current?.close()}
        >
          <Icon name="cross" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
}
