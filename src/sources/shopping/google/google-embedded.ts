// What a results page carries in its scripts: cards that are put in later (`jsl.dh`), and the addresses of images that are loaded later (`google.ldi`).
// Bounded, since both come from a page.

const INJECTED = /jsl\.dh\('[^']{1,200}','((?:[^'\\]|\\.)*)'/g;
const MAX_INJECTED = 400;
const MAX_INJECTED_CHARS = 4_000_000;

/** The page with its later parts appended. */
export function withInjected(html: string): string {
  const parts: string[] = [];
  let chars = 0;
  for (const match of html.matchAll(INJECTED)) {
    chars += match[1]!.length;
    if (parts.length >= MAX_INJECTED || chars > MAX_INJECTED_CHARS) break;
    parts.push(unescapeScript(match[1]!));
  }
  return parts.length === 0 ? html : html + parts.join('\n');
}

/** Image addresses by the id of their element. */
export function deferredImages(html: string): Map<string, string> {
  const images = new Map<string, string>();
  for (const match of html.matchAll(/google\.ldi\s{0,9}=\s{0,9}(\{[^{}]*\})/g)) {
    for (const pair of match[1]!.matchAll(/"(dimg_[\w-]+)"\s*:\s*"([^"]+)"/g))
      images.set(pair[1]!, unescapeScript(pair[2]!));
  }
  return images;
}

function unescapeScript(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gi,
    (_, hex?: string, unicode?: string, char?: string) =>
      char === undefined
        ? String.fromCharCode(Number.parseInt(hex ?? unicode!, 16))
        : ({ n: '\n', t: '\t', r: '\r' }[char] ?? char),
  );
}
