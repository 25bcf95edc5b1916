// A button that opens a small panel. Escape and a click elsewhere close it.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface MenuProps {
  label: string;
  icon: IconName;
  children: ComponentChildren;
  isIconOnly?: boolean;
}

export function Menu({ label, icon, children, isIconOnly = false }: MenuProps) {
  const isOpen = useSignal(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen.value) return;
    const close = (event: Event) => {
      const isOutside = event.target instanceof Node && !element.current?.contains(event.target);
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : isOutside) isOpen.value = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, [isOpen.value, isOpen]);
  return (
    <div class="menu" ref={element}>
      <button
        type="button"
        class={isIconOnly ? 'button plain icon-only' : 'button plain'}
        aria-expanded={isOpen.value}
        aria-label={isIconOnly ? label : undefined}
        title={isIconOnly ? label : undefined}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name={icon} />
        {!isIconOnly && label}
      </button>
      {isOpen.value && <div class="menu-panel">{children}</div>}
    </div>
  );
}
