// Progress as a bar of parts. Widths are set through the style object, which the policy of the page allows.
export interface BarPart {
  value: number;
  tone: 'good' | 'bad' | 'active' | 'quiet' | 'warn';
}

export function Bar({ parts, total, label }: { parts: readonly BarPart[]; total: number; label: string }) {
  return (
    <span class="bar" role="img" aria-label={label}>
      {parts
        .filter(({ value }) => value > 0)
        .map(({ value, tone }) => (
          <span key={tone} class={tone} style={{ width: `${(100 * value) / Math.max(1, total)}%` }} />
        ))}
    </span>
  );
}
