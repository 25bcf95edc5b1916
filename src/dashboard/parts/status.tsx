// A status as icon, word and colour: never by colour alone. One table for everything that has a status.
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'good' | 'active' | 'warn' | 'bad' | 'quiet';

const KNOWN: Record<string, [tone: Tone, icon: IconName]> = {
  running: ['active', 'live'],
  started: ['active', 'live'],
  sent: ['active', 'right'],
  completed: ['good', 'check'],
  succeeded: ['good', 'check'],
  done: ['good', 'check'],
  stored: ['good', 'check'],
  ok: ['good', 'check'],
  up: ['good', 'check'],
  active: ['good', 'check'],
  enabled: ['good', 'check'],
  delivered: ['good', 'check'],
  closed: ['good', 'check'],
  partial: ['warn', 'half'],
  degraded: ['warn', 'warning'],
  warning: ['warn', 'warning'],
  half_open: ['warn', 'half'],
  delayed: ['warn', 'clock'],
  held: ['warn', 'pause'],
  paused: ['warn', 'pause'],
  suspect: ['warn', 'warning'],
  failed: ['bad', 'cross'],
  failing: ['bad', 'cross'],
  down: ['bad', 'cross'],
  open: ['bad', 'warning'],
  given_up: ['bad', 'cross'],
  revoked: ['bad', 'cross'],
  expired: ['quiet', 'clock'],
  cancelled: ['quiet', 'stop'],
  queued: ['quiet', 'clock'],
  ready: ['quiet', 'clock'],
  waiting: ['quiet', 'clock'],
  idle: ['quiet', 'clock'],
  unknown: ['quiet', 'help'],
};

/** `label`: the word, where it is not the status itself. */
export function Status({ status, label }: { status: string; label?: string }) {
  const [tone, icon] = KNOWN[status] ?? ['quiet', 'help'];
  return (
    <span class={`status ${tone}`} data-status={status}>
      <Icon name={icon} />
      {label ?? status.replaceAll('_', ' ')}
    </span>
  );
}

export const KINDS = {
  article: { label: 'Articles', icon: 'article' },
  posting: { label: 'Search', icon: 'posting' },
  company: { label: 'Companies', icon: 'company' },
  cart: { label: 'Cart', icon: 'cart' },
  crawl: { label: 'Crawl', icon: 'sources' },
  map: { label: 'Map', icon: 'list' },
} as const;

export function Kind({ kind }: { kind: keyof typeof KINDS }) {
  const { label, icon } = KINDS[kind];
  return (
    <span class="kind">
      <Icon name={icon} />
      {label}
    </span>
  );
}
