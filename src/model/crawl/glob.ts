// Patterns that say which pages of a site a crawl takes: `/blog/**`. What a reader would get wrong: they are no regular expressions. All places in the pattern
// that the text may have reached are followed together, so the time is the length of the text times the number of stars, whatever both are.

/** More can be said with two patterns. */
export const PATTERN_CHARS = 300;
const STARS_MAX = 10;

/** What is wrong with a pattern, or null. */
export function patternError(pattern: string): string | null {
  if (pattern.length > PATTERN_CHARS) return `is longer than ${PATTERN_CHARS} characters`;
  if (!/^(?:\/|\*|https?:\/\/)/.test(pattern))
    return 'has to begin with / or * or https://, such as /blog/** (* stands for anything but /, ** for anything)';
  if ((pattern.match(/\*+/g)?.length ?? 0) > STARS_MAX) return `has more than ${STARS_MAX} stars`;
  return null;
}

/** A character, `*` or `**`. */
type Token = { char: string } | { spans: boolean };

/**
 * Whether an address matches. A pattern that begins with a scheme is held against the whole address, another against the path, with the query where the
 * pattern has a `?`. `/blog/**` also stands for `/blog`.
 */
export function globOf(pattern: string): (url: URL) => boolean {
  const tokens = tokensOf(pattern);
  const folder = pattern.endsWith('/**') ? tokensOf(pattern.slice(0, -3)) : null;
  const isWhole = /^https?:/.test(pattern);
  const hasQuery = pattern.includes('?');
  return (url) => {
    const text = `${isWhole ? url.origin : ''}${url.pathname}${hasQuery ? url.search : ''}`;
    return matches(tokens, text) || (folder !== null && matches(folder, text));
  };
}

const tokensOf = (pattern: string): Token[] =>
  (pattern.match(/\*+|[^*]/g) ?? []).map((part) =>
    part.startsWith('*') ? { spans: part.length > 1 } : { char: part },
  );

function matches(tokens: readonly Token[], text: string): boolean {
  let places = stepOver(tokens, new Set([0]));
  for (const char of text) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === undefined) continue;
      if ('char' in token) {
        if (token.char === char) next.add(place + 1);
      } else if (token.spans || char !== '/') next.add(place);
    }
    if (next.size === 0) return false;
    places = stepOver(tokens, next);
  }
  return places.has(tokens.length);
}

/** A star may stand for nothing. */
function stepOver(tokens: readonly Token[], places: Set<number>): Set<number> {
  for (const place of places) {
    const token = tokens[place];
    // What is added to a set while it is walked is walked too.
    if (token !== undefined && !('char' in token)) places.add(place + 1);
  }
  return places;
}
