// The words around dates in the languages that are read: which say "published", which "updated", and days that are told from now.
// What a reader would get wrong: such words are everywhere in prose ("Sie sind hier", "hier" being yesterday in French). A relative day
// counts only in the page's own language and only when it is the whole line.
import { parseDate } from '../../dates.ts';
import type { PageContext } from './found.ts';

const UPDATED =
  /(?<!\p{L})(?:(?:last |zuletzt |letzte |dernière |última |ultima |ultimo )?(?:updat|modif|revis(?!ta)|reviewed|edited|corrected|aktualis|geändert|überarbeitet|änderung|bearbeitet|aktualität|mis à jour|mise à jour|màj|actualiz|modificad|atualiz|aggiorna|modificat|обновлен|изменен|bijgewerkt|gewijzigd|zaktualiz|aktualizac|zmodyfik|uppdaterad|opdateret|oppdatert|päivitetty|güncellen)|stand:?\s\d|last change)/iu;
const PUBLISHED =
  /(?<!\p{L})(?:publish|posted|created(?! by)|written(?! by)|released|veröffentlicht|erschienen|erstellt(?! von)|publiziert|eingestellt am|geschrieben(?! von)|gepostet|freigegeben|publié|paru|mis en ligne|mise en ligne|publicad|publicat|publicación|pubblicat|опубликован|размещен|geplaatst|gepubliceerd|opublikowan|dodano|publicerad|publiceret|publisert|julkaistu|yayın)/iu;

const ORIGINALLY =
  /(?:(?:originally|first) (?:published|posted|appeared|written)(?! by)|(?:zuerst|erstmals|ursprünglich) (?:erschienen|veröffentlicht)|(?:publié|paru) (?:initialement|pour la première fois)|publicado originalmente|pubblicato originariamente)\s/iu;

/** Where a line begins to say when it was published first, after changes that it tells of too; -1 where it does not. */
export const originallyAt = (text: string): number => text.search(ORIGINALLY);
export const isUpdated = (text: string): boolean => UPDATED.test(text);
export const isPublished = (text: string): boolean => PUBLISHED.test(text);
export const updatedAt = (text: string): number => text.search(UPDATED);
export const publishedAt = (text: string): number => text.search(PUBLISHED);

const DAY_MS = 86_400_000;
/** By language: the day before, and today. */
const DAYS: Record<string, [RegExp, RegExp]> = {
  en: [/^yesterday$/, /^(?:today|just now)$/],
  de: [/^gestern$/, /^heute$/],
  fr: [/^hier$/, /^aujourd[’']hui$/],
  es: [/^ayer$/, /^hoy$/],
  pt: [/^ontem$/, /^hoje$/],
  it: [/^ieri$/, /^oggi$/],
  nl: [/^gisteren$/, /^vandaag$/],
  pl: [/^wczoraj$/, /^dzisiaj$/],
  ru: [/^вчера$/, /^сегодня$/],
};
const AROUND =
  /^(?:(?:last )?(?:published|posted|updated)|veröffentlicht|aktualisiert|publié|mis à jour|publicado|actualizado|atualizado|pubblicato|aggiornato|geplaatst|опубликовано)?\s?:?\s?|(?:,|\sat|\sum|\sà|\sa las|\sàs|\salle|\som|\sв)?\s?\d{1,2}[:.h]\d{2}(?:\suhr)?$/giu;
const AGO = /\bago$|^vor\s|^il y a\s|^hace\s|^há\s|\sfa$|\sgeleden$|\satrás$|\sназад$|\stemu$/i;
const MAX_RELATIVE_CHARS = 60;

/** "Yesterday, 14:30", "vor 3 Stunden": a line that says nothing else. */
export function relativeLine(text: string, { now, language }: PageContext): string | null {
  if (text.length > MAX_RELATIVE_CHARS || language === null) return null;
  const line = text.replace(AROUND, '').trim().toLowerCase();
  const days = DAYS[language.slice(0, 2).toLowerCase()];
  const back = days?.findIndex((day) => day.test(line)) ?? -1;
  if (back >= 0) return new Date(now.getTime() - (1 - back) * DAY_MS).toISOString().slice(0, 10);
  return AGO.test(line) && line.split(' ').length <= 5 ? parseDate(line, { now, language }) : null;
}

const SHORT = /^(?:\p{L}{2,14}[.,:]?\s){0,3}(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{2})(?![\d.])(?:\D|$)/u;

/** "12.03.18", as German and others write it, at the beginning of a line. */
export function shortDate(text: string, { now, language }: PageContext): string | null {
  if (language?.startsWith('en')) return null;
  const m = SHORT.exec(text.slice(0, MAX_RELATIVE_CHARS));
  if (!m) return null;
  const century = Number(m[3]) <= now.getUTCFullYear() % 100 ? '20' : '19';
  return parseDate(`${century}${m[3]}-${m[2]}-${m[1]}`, { now, relative: false });
}
