// JSON that stands inside a page's script. Brackets are counted outside strings, since titles hold brackets, quotes and semicolons.

/** The object or list that begins right after the first match; null where there is none, or where it is not the strict JSON it seems. */
export function jsonAfter(text: string, marker: RegExp): unknown {
  const start = marker.exec(text);
  if (start === null) return null;
  const from = start.index + start[0].length;
  if (text[from] !== '[' && text[from] !== '{') return null;
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') {
      depth--;
      if (depth === 0) return parsed(text.slice(from, at + 1));
    }
  }
  return null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // A script's own notation and not JSON: it states nothing to us.
    return null;
  }
}
