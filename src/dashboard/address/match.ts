// Which screen a path leads to. Pure.

/** `/ui/runs/:id` → its parameters; null when the path is another. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const text = given[at]!;
    if (part.startsWith(':')) {
      const value = decoded(text);
      if (value === null || value === '') return null;
      params[part.slice(1)] = value;
    } else if (part !== text) return null;
  }
  return params;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
