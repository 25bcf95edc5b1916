// Links to the web. Only http and https become links: everything else that a page or a caller calls an address is shown as the text it is.
import type { ComponentChildren } from 'preact';
import { Icon } from '../icon.tsx';

export function WebLink({ href, children }: { href: string | null | undefined; children?: ComponentChildren }) {
  const url = href && URL.canParse(href) ? new URL(href) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return <span>{children ?? href ?? '–'}</span>;
  return (
    <a class="web-link" href={url.href} target="_blank" rel="noopener noreferrer nofollow">
      {children ?? url.href}
      <Icon name="external" />
      <span class="for-readers"> (opens in a new tab)</span>
    </a>
  );
}
