// Where there is nothing: what would be here, and how to get it, as a button or as a line for the terminal.
import type { ComponentChildren } from 'preact';
import { Copyable } from './copyable.tsx';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
  /** It is all there is on the screen. */
  isPage?: boolean;
  /** Lines for a terminal that would fill it. */
  commands?: readonly string[];
}

export function Empty({ icon, title, isPage = false, children, commands = [] }: EmptyProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div class="empty">
      <Icon name={icon} className="large" />
      <Title>{title}</Title>
      {children && <p>{children}</p>}
      {commands.map((command) => (
        <Copyable key={command} text={command} />
      ))}
    </div>
  );
}
