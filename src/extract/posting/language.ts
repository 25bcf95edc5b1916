// The language of an advertisement as a code of two letters, from what a source says: `en-us`, `sv_SE`, `eng`, "Swedish", "svenska".
// What a reader would get wrong: the first two letters of a name are often another language's code. "Swedish" is not Swahili.

const CODES =
  'ar bg ca cs da de el en es et fi fr he hi hr hu id is it ja ko lt lv ms nb nl no pl pt ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  );
const TAG = /^[a-z]{2,3}(?:[-_][a-z\d]{1,8}){0,4}$/i;
/** In English, and in itself. */
const names = new Map<string, string>();

function namesOfLanguages(): ReadonlyMap<string, string> {
  if (names.size === 0)
    for (const code of CODES)
      for (const locale of ['en', code]) {
        const name = new Intl.DisplayNames(locale, { type: 'language' }).of(code);
        if (name !== undefined) names.set(name.toLowerCase(), code);
      }
  return names;
}

export function languageCode(said: string): string | null {
  const text = said.trim();
  if (TAG.test(text)) {
    const [code = ''] = Intl.getCanonicalLocales(text.slice(0, 3).replace(/[-_].?$/, ''));
    return code.length === 2 ? code : null;
  }
  const [name = ''] = text
    .slice(0, 40)
    .toLowerCase()
    .split(/[ (,/-]/);
  return namesOfLanguages().get(name) ?? null;
}
