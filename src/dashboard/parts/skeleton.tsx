// The room of what is coming, as high as it will be, so that nothing jumps.
export function Skeleton({ rows = 8, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="bone" />
      ))}
    </div>
  );
}
