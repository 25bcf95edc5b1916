// htmlparser2's parser with its inner loops made short: the same events for the same page, in two thirds of the time.
// What a reader would get wrong: this reaches into members the library calls private, so it holds for the version that package-lock.json names. A
// test lays its events beside those of the library's own parser; when that fails after an upgrade, `Parser` of the library does in its place.
import { type Handler, Parser as PlainParser, Tokenizer as PlainTokenizer } from 'htmlparser2';

/** What is used of the library's tokenizer. `index` counts from the beginning of the page, `offset` is where the buffer begins. */
interface TokenizerInside {
  buffer: string;
  index: number;
  offset: number;
  stateText(code: number): void;
  handleInAttributeValue(code: number, quote: number): void;
}

interface ParserInside {
  tokenizer: TokenizerInside;
  attribname: string;
  foreignContext: unknown[];
  startIndex: number;
  readTagName(start: number, end: number): string;
  onattribname(start: number, end: number): void;
}

const LESS = 60;
const AND = 38;

const TokenizerBase = PlainTokenizer as unknown as new (...args: unknown[]) => TokenizerInside;

// The library goes through its table of states for every letter; nearly all letters are text or value of an attribute, and mean nothing to it.
class Tokenizer extends TokenizerBase {
  override stateText(code: number): void {
    const found = this.skipTo(code, LESS);
    if (found >= 0) super.stateText(found);
  }

  override handleInAttributeValue(code: number, quote: number): void {
    const found = this.skipTo(code, quote);
    if (found >= 0) super.handleInAttributeValue(found, quote);
  }

  /** Goes on to the next `end` or beginning of an entity and says which; -1 when the buffer ends before. */
  skipTo(code: number, end: number): number {
    if (code === end || code === AND) return code;
    const { buffer, offset } = this;
    for (let at = this.index - offset + 1; at < buffer.length; at++) {
      const next = buffer.charCodeAt(at);
      if (next === end || next === AND) {
        this.index = at + offset;
        return next;
      }
    }
    this.index = buffer.length + offset - 1;
    return -1;
  }

  /** Of scripts and comments only the end is looked for. */
  fastForwardTo(code: number): boolean {
    const { buffer, offset } = this;
    const at = buffer.indexOf(String.fromCharCode(code), this.index - offset + 1);
    this.index = (at < 0 ? buffer.length - 1 : at) + offset;
    return at >= 0;
  }
}

const ParserBase = PlainParser as unknown as new (...args: unknown[]) => ParserInside;

// Every name is cut out of the page and lowered anew, which for a page with a single curly quote is slow. Those that pages are made of are known by
// their letters and are one string each, which is also quicker to look up.
class SwiftParser extends ParserBase {
  override readTagName(start: number, end: number): string {
    const known = this.foreignContext.length === 1 ? this.knownName(start, end) : undefined;
    return known ?? super.readTagName(start, end);
  }

  override onattribname(start: number, end: number): void {
    const known = this.knownName(start, end);
    if (known === undefined) super.onattribname(start, end);
    else {
      this.startIndex = start;
      this.attribname = known;
    }
  }

  knownName(start: number, end: number): string | undefined {
    const { buffer, offset } = this.tokenizer;
    const from = start - offset;
    if (from < 0) return undefined;
    let hash = 0;
    for (let at = from; at < end - offset; at++) hash = hashWith(hash, buffer.charCodeAt(at));
    const name = NAMES[slotOf(hash)]!;
    if (name.length !== end - start) return undefined;
    for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) !== buffer.charCodeAt(from + i)) return undefined;
    return name;
  }
}

const SLOT_BITS = 11;
const hashWith = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;
const slotOf = (hash: number): number => (hash ^ (hash >>> SLOT_BITS)) & ((1 << SLOT_BITS) - 1);

/** By slot. These have one each; of two that fell on one, the second would be read the long way. */
const NAMES: string[] = new Array<string>(1 << SLOT_BITS).fill('');
for (const name of `a abbr address article aside b blockquote body br button caption center cite code dd details div dl dt em fieldset figcaption
  figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label legend li link main meta nav noscript ol option p path
  picture pre q s script section select small source span strong style sub sup svg table tbody td tfoot th thead time title tr u ul video class id
  role hidden aria-hidden aria-label itemprop itemtype itemscope lang dir href src srcset sizes data-src alt datetime content property name
  http-equiv rel type hreflang start value width height target async defer charset media onclick placeholder data-id loading`.split(
  /\s+/,
)) {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = hashWith(hash, name.charCodeAt(i));
  NAMES[slotOf(hash)] ||= name;
}

/** Entities are decoded, as the library does unless told. */
export function createParser(handler: Partial<Handler>): PlainParser {
  return new SwiftParser(handler, { Tokenizer }) as unknown as PlainParser;
}
