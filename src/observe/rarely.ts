// Tells a problem once a minute, with how often it came in between: on a full disk every page has the same one.
const EVERY_MS = 60_000;

export function rarely(tell: (event: string, error: unknown, before: { before?: number }) => void, now = Date.now) {
  const told = new Map<string, { atMs: number; before: number }>();
  return (event: string, error: unknown): void => {
    const last = told.get(event);
    if (last && now() - last.atMs < EVERY_MS) {
      last.before += 1;
      return;
    }
    told.set(event, { atMs: now(), before: 0 });
    tell(event, error, last?.before ? { before: last.before } : {});
  };
}
