// A number that leads to the list behind it, where there is a screen for that.
import { findScreen } from '../../address/screens.ts';

interface FigureProps {
  label: string;
  value: string;
  more?: string;
  href: string;
  isBad?: boolean;
}

export function Figure({ label, value, more, href, isBad = false }: FigureProps) {
  const isLink = findScreen(href.split('?')[0]!) !== null;
  return (
    <div class="figure">
      <dt>{label}</dt>
      <dd class={isBad ? 'figure-value text-bad' : 'figure-value'}>{isLink ? <a href={href}>{value}</a> : value}</dd>
      {more && <dd class="quiet small">{more}</dd>}
    </div>
  );
}
