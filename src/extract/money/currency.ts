// Finds how currencies are written in a text, and which ISO codes that can mean. The list is data (currencies.json).
// What a reader would get wrong: `R`, `kr` or `all` are currencies only beside an amount, and `$` says less than the `CAD` two words on.
import { type AmountText, amountsIn } from './amounts.ts';
import table from './currencies.json' with { type: 'json' };

export interface CurrencyText {
  /** As it stands on the page. */
  written: string;
  /** ISO 4217 codes it may mean, likeliest first. */
  codes: readonly string[];
  start: number;
  end: number;
  /** A letter or word that is a currency only because of where it stands. */
  isMark: boolean;
  /** The amounts it touches, itself or through another currency (`NZD $100`). */
  beside: readonly AmountText[];
}

interface Form {
  text: string;
  codes: readonly string[];
  isMark: boolean;
  /** May not go on with a letter on that side, so that `ct` is not found in "Direct". */
  endsBefore: boolean;
  endsAfter: boolean;
}

const LETTER = /[\p{L}\p{M}]/u;
/** Scripts that put no space between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Forms by their first character, longest first. */
const FORMS: ReadonlyMap<string, readonly Form[]> = buildForms();

function buildForms(): Map<string, Form[]> {
  const forms = new Map<string, Form>();
  const put = (text: string, codes: string, { isMark = false, isStem = false } = {}) => {
    if (!isMark || !forms.has(text)) forms.set(text, formOf(text, codes, isMark, isStem));
  };
  for (const code of table.pastCodes.split(' ')) put(code, code, { isMark: true });
  const asWords = new Set(table.codesThatAreWords.split(' '));
  for (const code of table.codes.split(' ')) put(code, code, { isMark: asWords.has(code) });
  for (const [text, codes] of Object.entries(table.signs)) put(text, codes);
  for (const [text, codes] of Object.entries(table.words)) for (const spelt of inCases(text)) put(spelt, codes);
  for (const [text, codes] of Object.entries(table.stems))
    for (const spelt of inCases(text)) put(spelt, codes, { isStem: true });
  for (const [text, codes] of Object.entries(table.marks)) put(text, codes, { isMark: true });
  // Lower case only for longer ones: `da` and `le` are words, `DA` and `LE` beside an amount are not.
  for (const { text, codes } of [...forms.values()]) {
    const letters = text.replace(/\P{L}/gu, '').length;
    const spelt = letters > 2 ? inCases(text) : letters === 2 ? [text.toUpperCase(), capitalised(text)] : [];
    for (const other of spelt) put(other, codes.join(' '), { isMark: true });
  }

  const byFirst = new Map<string, Form[]>();
  for (const form of forms.values()) byFirst.set(form.text[0]!, [...(byFirst.get(form.text[0]!) ?? []), form]);
  for (const list of byFirst.values()) list.sort((a, b) => b.text.length - a.text.length);
  return byFirst;
}

function inCases(text: string): string[] {
  const lower = text.toLowerCase();
  return [text, lower, text.toUpperCase(), capitalised(text), text.slice(0, -1).toUpperCase() + lower.at(-1)];
}

function capitalised(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1).toLowerCase();
}

function formOf(text: string, codes: string, isMark: boolean, isStem: boolean): Form {
  const isWord = !UNSPACED.test(text);
  return {
    text,
    codes: codes.split(' '),
    isMark,
    endsBefore: isWord && LETTER.test(text[0]!),
    endsAfter: isWord && !isStem && LETTER.test(text.at(-1)!),
  };
}

function formAt(text: string, at: number): Form | undefined {
  return FORMS.get(text[at]!)?.find(
    (form) =>
      text.startsWith(form.text, at) &&
      !(form.endsBefore && at > 0 && LETTER.test(text[at - 1]!)) &&
      !(form.endsAfter && LETTER.test(text[at + form.text.length] ?? '')),
  );
}

/** Between an amount and the currency behind it, `50,- €`; and between a currency and the amount behind it, `US$: 5`. */
const BEFORE_CURRENCY = /^(?:[.,][-–—]+)?[\s*]*$/;
const BEFORE_AMOUNT = /^[\s:.\-–—*=]*$/;

/** Every currency of a text; marks only where they stand beside an amount, or alone in the text. */
export function currenciesIn(text: string, amounts: readonly AmountText[] = amountsIn(text)): CurrencyText[] {
  const found: (CurrencyText & { beside: AmountText[] })[] = [];
  for (let at = 0; at < text.length; at++) {
    const form = formAt(text, at);
    if (!form) continue;
    const end = at + form.text.length;
    const beside = amounts.filter((amount) =>
      amount.end <= at
        ? BEFORE_CURRENCY.test(text.slice(amount.end, at))
        : BEFORE_AMOUNT.test(text.slice(end, amount.start)),
    );
    found.push({ written: form.text, codes: form.codes, start: at, end, isMark: form.isMark, beside });
    at = end - 1;
  }
  for (const [i, one] of found.entries()) {
    const next = found[i + 1];
    if (!next || text.slice(one.end, next.start).trim() !== '') continue;
    if (one.beside.length === 0) one.beside.push(...next.beside);
    else if (next.beside.length === 0) next.beside.push(...one.beside);
  }
  return found.filter((one) => !one.isMark || isMeant(one, text));
}

function isMeant(mark: CurrencyText, text: string): boolean {
  const rest = text.slice(0, mark.start) + text.slice(mark.end);
  if (!/[\p{L}\p{N}]/u.test(rest)) return true;
  if (mark.beside.length === 0) return false;
  if (mark.written.replace('.', '').length > 1 || /\p{Script=Cyrillic}/u.test(mark.written)) return true;
  // One Latin letter: either right before the digits, or nothing else is there but the amount.
  return mark.beside.some(({ start }) => start === mark.end) || !LETTER.test(rest);
}

/** The currency that is meant: the one beside the amount, made more precise by another of the same text or hint that agrees. */
export function chooseCurrency(
  own: readonly CurrencyText[],
  hinted: readonly CurrencyText[],
  amount: AmountText | null,
): CurrencyText | null {
  const near = amount === null ? [] : own.filter((one) => one.beside.includes(amount));
  const first = surest(near) ?? surest(own);
  if (!first) return hinted.find((one) => one.codes.length === 1) ?? surest(hinted);
  if (first.codes.length === 1) return first;
  const agrees = (one: CurrencyText) =>
    one.codes.length < first.codes.length && one.codes.every((code) => first.codes.includes(code));
  return [...near, ...own, ...hinted].find(agrees) ?? first;
}

const surest = (found: readonly CurrencyText[]): CurrencyText | null =>
  found.find((one) => !one.isMark) ?? found[0] ?? null;
