// The smaller fields: language, lead image, canonical address, description, tags.
import { cleanText } from '../../html/html.ts';
import { firstString, type JsonLdNode } from '../../html/structured.ts';
import { hashOf, hashWith } from '../page/words.ts';
import { type FieldReader, type FieldValue, firstOf, metaOrigin, type PageContext } from './found.ts';

const metaPlace =
  (accept: (value: string, context: PageContext) => string | null, ...names: string[]): FieldReader =>
  (context) => {
    for (const name of names) {
      const meta = context.facts.meta(name);
      const value = meta && accept(meta.value, context);
      if (meta && value) return { value, from: metaOrigin(name), detail: name };
    }
    return null;
  };

/** An address as the page means it, or null when it is none of the web. */
export function absolute(address: string | null | undefined, base: string | null): string | null {
  if (!address) return null;
  try {
    const url = new URL(address.trim(), base ?? undefined);
    return /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    // Not an address: pages hold "javascript:" and worse, and that is no error of ours.
    return null;
  }
}

const tag = (value: string): string | null =>
  /^[a-z]{2,3}(?:[-_][a-z0-9]+)*$/i.exec(value.trim())?.[0].replace(/_/g, '-') ?? null;

const SCRIPTS: [RegExp, string][] = [
  [/[\u3040-\u30ff]/g, 'ja'],
  [/[\uac00-\ud7a3]/g, 'ko'],
  [/[\u4e00-\u9fff]/g, 'zh'],
  [/[\u0590-\u05ff]/g, 'he'],
  [/[\u0600-\u06ff]/g, 'ar'],
  [/[\u0e00-\u0e7f]/g, 'th'],
  [/[\u0370-\u03ff]/g, 'el'],
  [/[\u0900-\u097f]/g, 'hi'],
  [/[\u0400-\u04ff]/g, 'ru'],
];
// The commonest small words of the languages that share a script; more than three of them in a text are no accident.
const SMALL_WORDS: Record<string, string> = {
  en: 'the and of is was that with',
  de: 'der die und das ist nicht mit ein',
  fr: 'les des est une dans pour que qui',
  es: 'los las una por con para del que',
  pt: 'os uma não com para dos que da',
  it: 'che della per con una sono gli di',
  nl: 'het een van niet met zijn dat op',
  sv: 'och att det som inte för är',
  pl: 'nie się jest na że do to',
  id: 'yang dan dengan untuk ini dari itu',
  tr: 'bir ve bu için ile olarak çok',
};
const LANGUAGES = Object.keys(SMALL_WORDS);
const LONGEST_SMALL_WORD = 7;
/** Which languages, by position, have the word; and whether one with a hash may be among them: asking the map for every word is too expensive. */
const languagesOf = new Map<string, number[]>();
const HASH_PLACES = 1 << 12;
const mayBeSmall = new Uint8Array(HASH_PLACES);
LANGUAGES.forEach((language, at) => {
  for (const word of SMALL_WORDS[language]!.split(' ')) {
    languagesOf.set(word, [...(languagesOf.get(word) ?? []), at]);
    mayBeSmall[hashOf(word) & (HASH_PLACES - 1)] = 1;
  }
});

/** What lowering makes of the letters of Latin scripts, the only ones that small words are written in. */
const LOWER = Uint16Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0));
const lowerOf = (code: number): number => (code < LOWER.length ? LOWER[code]! : code);

const SAMPLE_CHARS = 1_500;

/** Language by what the text is written in; null when it is too little to tell. */
export function languageOfText(text: string): string | null {
  const sample = text.slice(0, SAMPLE_CHARS);
  if (/[\u0370-\uffff]{3}/.test(sample)) {
    const written = SCRIPTS.find(([script]) => (sample.match(script)?.length ?? 0) > 0.1 * sample.length);
    if (written) return written[1];
  }
  const counts = new Array<number>(LANGUAGES.length).fill(0);
  // Of two small words side by side only one counts: they share the space between them.
  const taken = new Array<number>(LANGUAGES.length).fill(-2);
  for (let i = 0, before = -1, hash = 0; i <= sample.length; i++) {
    const code = i < sample.length ? sample.charCodeAt(i) : 32;
    if (code !== 32) {
      hash = hashWith(hash, lowerOf(code));
      continue;
    }
    if (i - before <= LONGEST_SMALL_WORD + 1 && mayBeSmall[hash & (HASH_PLACES - 1)] === 1) {
      for (const language of languagesOf.get(sample.slice(before + 1, i).toLowerCase()) ?? []) {
        if (taken[language] === before) continue;
        counts[language]!++;
        taken[language] = i;
      }
    }
    before = i;
    hash = 0;
  }
  let best = -1;
  let bestCount = 3;
  counts.forEach((count, language) => {
    if (count > bestCount) {
      best = language;
      bestCount = count;
    }
  });
  return LANGUAGES[best] ?? null;
}

export function language(facts: PageContext['facts'], htmlLang: string, body: string): FieldValue | null {
  const html = tag(htmlLang);
  const stays: FieldValue | null = html ? { value: html, from: 'html', detail: 'lang' } : null;
  // Themes ship with lang="en"; a text in another script, or clearly in another language, knows better.
  if (html && !/^en/i.test(html)) return stays;
  const heard = languageOfText(body);
  if (html && (!heard || html.toLowerCase().startsWith(heard))) return stays;
  if (heard) return { value: heard, from: 'heuristic', detail: 'words of the text' };
  const meta = facts.meta('og:locale', 'content-language', 'language', 'dc.language');
  const stated = meta && tag(meta.value);
  return meta && stated ? { value: stated, from: metaOrigin(meta.name), detail: meta.name } : null;
}

const imagePlaces: FieldReader[] = [
  metaPlace(
    (v, s) => absolute(v, s.url),
    'og:image:secure_url',
    'og:image',
    'og:image:url',
    'twitter:image',
    'twitter:image:src',
    'thumbnail',
    'parsely-image-url',
    'sailthru.image.full',
  ),
  (context) => {
    const image = [context.facts.article?.image ?? context.facts.article?.thumbnailUrl].flat()[0];
    const address =
      typeof image === 'string'
        ? image
        : firstString((image as JsonLdNode | undefined)?.url ?? (image as JsonLdNode | undefined)?.contentUrl);
    const value = absolute(address, context.url);
    return value ? { value, from: 'json-ld', detail: 'image' } : null;
  },
  ({ view, url, bodyFrom, bodyTo }) => {
    if (bodyFrom < 0) return null;
    const { nodes } = view.page;
    const start =
      view.titleAt >= 0
        ? Math.min(view.blockFeatures[view.titleAt]!.block.from, view.blockFeatures[bodyFrom]!.block.from)
        : view.blockFeatures[bodyFrom]!.block.from;
    for (let i = start; i < view.blockFeatures[bodyTo]!.block.to; i++) {
      const { tag: name, attrs } = nodes[i]!;
      const value = name === 'img' ? absolute(attrs['data-src'] ?? attrs.src, url) : null;
      if (value && !/\b(?:avatar|icon|logo|pixel|spacer|emoji|gravatar)\b/i.test(value))
        return { value, from: 'heuristic', detail: 'first image of the body' };
    }
    return null;
  },
];
export const image = (context: PageContext): FieldValue | null => firstOf(context, imagePlaces);

export function canonical({ view, facts, url }: PageContext): FieldValue | null {
  const link = view.page.links.find((l) => l.rel === 'canonical');
  const value = absolute(link?.href, url);
  if (value) return { value, from: 'html', detail: 'rel=canonical' };
  const meta = absolute(facts.meta('og:url')?.value, url);
  return meta ? { value: meta, from: 'opengraph', detail: 'og:url' } : null;
}

const EXCERPT_CHARS = 300;

export function excerpt({ facts }: PageContext, body: string): FieldValue | null {
  const meta = facts.meta('og:description', 'description', 'twitter:description', 'dc.description');
  if (meta && meta.value.length >= 20)
    return { value: cleanText(meta.value), from: metaOrigin(meta.name), detail: meta.name };
  if (body === '') return null;
  const cut =
    body.length <= EXCERPT_CHARS
      ? body
      : `${body
          .slice(0, EXCERPT_CHARS)
          .replace(/\s\S*$/, '')
          .trimEnd()}…`;
  return { value: cleanText(cut), from: 'heuristic', detail: 'beginning of the body' };
}

const MAX_TAGS = 30;

export function tags({ facts }: PageContext): FieldValue<string[]> | null {
  const listed = facts
    .metas('article:tag', 'parsely-tags', 'sailthru.tags', 'news_keywords', 'keywords')
    .flatMap((v) => v.split(','));
  const fromMeta = distinct(listed);
  if (fromMeta.length > 0) return { value: fromMeta, from: 'meta', detail: 'keywords' };
  const keywords = [facts.article?.keywords]
    .flat()
    .flatMap((k) => (typeof k === 'string' ? k.split(',') : (firstString(k) ?? [])));
  const fromLd = distinct(keywords);
  return fromLd.length > 0 ? { value: fromLd, from: 'json-ld', detail: 'keywords' } : null;
}

const distinct = (list: string[]): string[] =>
  [...new Set(list.map(cleanText).filter((t) => t !== '' && t.length <= 80))].slice(0, MAX_TAGS);
