// The anchors of a search: every text it matches has at least one of these words, so that thousands of saved searches are found by the words of a posting
// instead of being tried one by one. It reads a tsquery as PostgreSQL writes it: 'data' & ( 'engin' | 'scienc' ) & !'senior'.
// What a reader would get wrong: anchors only narrow. A posting that has one may still not match; the search itself decides.

/** Of queries that all have to match; empty where no word is needed (only "-without"), then every posting has to be tried. */
export function anchorsOf(queries: readonly string[]): string[] {
  let best: string[] | null = null;
  for (const query of queries) best = better(best, queryAnchors(query));
  return best ?? [];
}

type Anchors = string[] | null;

/** The fewer words the better, and of as many those whose shortest is longest: long words are rare. */
function better(a: Anchors, b: Anchors): Anchors {
  if (a === null || b === null) return a ?? b;
  if (a.length !== b.length) return a.length < b.length ? a : b;
  return shortest(b) > shortest(a) ? b : a;
}

const shortest = (words: string[]): number => Math.min(...words.map((word) => word.length));

const TOKENS = /'((?:[^'\\]|''|\\.){0,500})'(?::[*A-D]+)?|<(?:-|\d+)>|[&|!()]/g;

interface Token {
  kind: string;
  word: string;
}

function queryAnchors(query: string): Anchors {
  const tokens: Token[] = [...query.matchAll(TOKENS)].map(([text, word]) =>
    word === undefined
      ? { kind: text.startsWith('<') ? '&' : text, word: '' }
      : { kind: 'word', word: word.replaceAll("''", "'").replaceAll(/\\(.)/g, '$1') },
  );
  let at = 0;

  // Phrases bind closer than "and", which matters nothing here: both need both sides.
  function either(): Anchors {
    let found = both();
    while (tokens[at]?.kind === '|') {
      at += 1;
      const other = both();
      found = found === null || other === null ? null : [...new Set([...found, ...other])];
    }
    return found;
  }
  function both(): Anchors {
    let found = one();
    while (tokens[at]?.kind === '&') {
      at += 1;
      found = better(found, one());
    }
    return found;
  }
  function one(): Anchors {
    const token = tokens[at++];
    if (token?.kind === 'word') return [token.word];
    if (token?.kind === '!') {
      one();
      return null;
    }
    if (token?.kind !== '(') return null;
    const inner = either();
    at += 1;
    return inner;
  }
  return either();
}
