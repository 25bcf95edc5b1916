// Postings as rows of a table for a person. Pure. The same job on several sites is one row that names them all.
import type { Posting } from '../../model/posting/posting.ts';
import { groupPostings } from '../../model/posting/same-posting.ts';

const HEAD = ['TITLE', 'COMPANY', 'LOCATION', 'SALARY', 'POSTED', 'SITE', 'URL'];

/** In the order in which the first of each job was found; the head comes first. */
export function postingRows(postings: readonly Posting[]): string[][] {
  const rows = groupPostings(postings).map(({ members }) => {
    const first = members[0]!;
    // One site may say what another does not.
    const salary = members.map(salaryText).find((text) => text !== '');
    const posted = members.map((one) => one.posted_date).find((date) => date !== null);
    return [
      first.title,
      first.company ?? '',
      first.location ?? (first.remote_type === 'remote' ? 'remote' : ''),
      salary ?? '',
      posted ?? '',
      [...new Set(members.map((one) => one.source))].join(', '),
      first.job_url,
    ];
  });
  return [HEAD, ...rows];
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
