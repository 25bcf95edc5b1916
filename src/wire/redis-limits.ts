// Time limits for what is large: they fit the size. With one limit for all, what needs longer is sent again for ever.

/** The slowest link that a worker is expected to have. */
const BYTES_PER_MS = 16;

export const limitFor = (bytes: number, patienceMs: number): number => patienceMs + bytes / BYTES_PER_MS;

export function within<T>(work: Promise<T>, ms: number, onLate: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(onLate()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
