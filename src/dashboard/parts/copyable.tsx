// A piece of text to take along: a command, a key, an id.
import { useSignal } from '@preact/signals';
import { Icon } from './icon.tsx';

export function Copyable({ text, label = 'Copy' }: { text: string; label?: string }) {
  const outcome = useSignal<'' | 'copied' | 'failed'>('');
  async function copy(): Promise<void> {
    outcome.value = await navigator.clipboard.writeText(text).then(
      () => 'copied' as const,
      () => 'failed' as const,
    );
    setTimeout(() => {
      outcome.value = '';
    }, 2_000);
  }
  return (
    <div class="copyable">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <pre tabIndex={0}>{text}</pre>
      <button type="button" class="button icon-only" onClick={copy} aria-label={label} title={label}>
        <Icon name={outcome.value === 'copied' ? 'check' : outcome.value === 'failed' ? 'cross' : 'copy'} />
      </button>
      <span class="for-readers" role="status">
        {outcome.value === 'failed' ? 'Copying is not allowed here: select the text.' : outcome.value}
      </span>
    </div>
  );
}
