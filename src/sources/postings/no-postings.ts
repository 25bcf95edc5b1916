// A page on which no postings were found: an empty board only when it says so.
import { AppError } from '../../model/errors.ts';
import type { Web, WebResponse } from '../../web/port.ts';

/** `looked`: what was looked for in vain, where nothing else explains it. */
export function refuseUnlessEmpty(web: Web, page: WebResponse, looked: string): void {
  const diagnosis = web.diagnose(page);
  if (diagnosis === 'empty') return;
  const why = diagnosis === 'layout_changed' ? looked : diagnosis.replaceAll('_', ' ');
  throw new AppError('layout_changed', `No postings found on the page: ${why}`, { details: { diagnosis } });
}
