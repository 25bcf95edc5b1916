// Postings as a table for a person, as wide as the terminal. Pure: postings and a width in, lines out.
// What a reader would get wrong: the text comes from web pages. The terminal would obey control characters in it, so they are removed.
import type { Posting } from '../../model/posting/posting.ts';
import { columns } from './terminal.ts';

const HEAD = ['title', 'company', 'location', 'salary', 'posted', 'site', 'url'];
/** Without a terminal width: cells stay readable, and URLs whole. */
const CAPS = [60, 30, 30, 24, 10, 14];
/** Minimum widths of the first three columns. */
const FLOORS = [18, 10, 10];
const URL_FLOOR = 24;
const GAP = 2;

export function postingTable(postings: readonly Posting[], width: number | null): string[] {
  const rows = postings.map((posting) => [
    clean(posting.title),
    clean(posting.company ?? ''),
    clean(posting.location ?? (posting.remote_type === 'remote' ? 'remote' : '')),
    salaryText(posting),
    posting.posted_date ?? '',
    posting.source,
    clean(posting.job_url),
  ]);
  const widths = cellWidths([HEAD, ...rows], width);
  return columns([HEAD, ...rows].map((row) => row.map((cell, i) => shorten(cell, widths[i]!))));
}

function cellWidths(rows: readonly (readonly string[])[], width: number | null): number[] {
  const natural = HEAD.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const widths = natural.map((most, i) => Math.min(most, CAPS[i] ?? Number.POSITIVE_INFINITY));
  if (width === null) return widths;
  const used = () => widths.reduce((sum, one) => sum + one, 0) + GAP * (widths.length - 1);
  const url = widths.length - 1;
  const take = (i: number, floor: number): void => {
    const over = used() - width;
    if (over > 0) widths[i] = Math.max(Math.min(widths[i]!, floor), widths[i]! - over);
  };
  take(url, URL_FLOOR);
  for (const [i, floor] of FLOORS.entries()) take(i, floor);
  take(url, 8);
  return widths;
}

/** `120k–180k USD/year`; `~` before an estimate of the board. */
export function salaryText(
  posting: Pick<Posting, 'salary_min' | 'salary_max' | 'currency' | 'salary_interval' | 'salary_source'>,
): string {
  const { salary_min: min, salary_max: max } = posting;
  const amounts = [...new Set([min, max].filter((amount) => amount !== null))].map(short);
  if (amounts.length === 0) return '';
  const unit = [posting.currency, posting.salary_interval].filter(Boolean).join('/');
  const open = max === null ? '+' : min === null ? '≤' : '';
  const said = open === '≤' ? `≤${amounts[0]}` : `${amounts.join('–')}${open}`;
  return `${posting.salary_source === 'estimated' ? '~' : ''}${said}${unit ? ` ${unit}` : ''}`;
}

function short(amount: number): string {
  if (amount >= 1_000_000) return `${round(amount / 1_000_000, 2)}M`;
  return amount >= 10_000 ? `${round(amount / 1_000, 1)}k` : String(round(amount, 2));
}

const round = (amount: number, digits: number): number => Math.round(amount * 10 ** digits) / 10 ** digits;

const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
}
