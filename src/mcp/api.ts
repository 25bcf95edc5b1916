/** How the tools reach a server: its public API with the key of the user, so a tool may do what the key may do and nothing else. */
export interface Api {
  get<T>(path: string): Promise<T>;
  /** A POST that makes one run however often it is sent. */
  submit<T>(path: string, body: unknown): Promise<T>;
}

/** Path with the parameters that are given. */
export function withQuery(path: string, parameters: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(parameters).filter(
    (pair): pair is [string, string | number | boolean] => pair[1] !== undefined,
  );
  return given.length === 0
    ? path
    : `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

export const idPath = (before: string, id: string, after = ''): string => `${before}/${encodeURIComponent(id)}${after}`;
