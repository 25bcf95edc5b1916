// Detection of how a career page can be scraped, as something that runs where sources run: it reads pages of strangers too.
import { z } from 'zod';
import { type CareerDetection, DETECTION } from '../../model/company/company.ts';
import { AppError } from '../../model/errors.ts';
import { detect } from '../../sources/careers/detect.ts';
import { CAREER_SOURCES } from '../../sources/careers/index.ts';
import { defineSource, type Source } from '../../sources/define.ts';
import type { Webs } from '../../web/web.ts';
import type { RunSource } from '../../worker/run-source.ts';

/** Its one item is the detection. */
export const detectionSource = (careers: readonly Source[] = CAREER_SOURCES): Source =>
  defineSource({
    name: DETECTION,
    title: 'Detection of career pages',
    kind: 'posting',
    lane: 'http',
    hosts: [],
    pace: { concurrency: 1, delayMs: 0 },
    params: z.object({ url: z.string() }),
    async *scrape({ url }, web) {
      yield (await detect(url, web, careers)) as never;
    },
  }) as unknown as Source;

export async function runDetection(
  url: string,
  { runSource, webs, signal }: { runSource: RunSource; webs: Webs; signal: AbortSignal },
): Promise<CareerDetection> {
  let found: CareerDetection | undefined;
  await runSource({
    source: DETECTION,
    params: { url },
    notes: { skipped() {}, incomplete() {} },
    signal,
    openWeb: () => webs.forAttempt({ signal, source: 'detect' }),
    onItem(item) {
      found = item as unknown as CareerDetection;
    },
  }).catch((error) => {
    if (signal.aborted) throw new AppError('timeout', 'The detection took longer than its time limit.');
    // Its thread was ended because of another one.
    if (error.code !== 'cancelled') throw error;
    throw new AppError('unavailable', 'The detection was interrupted. Try again in a second.', { retryAfterMs: 1_000 });
  });
  if (!found) throw new AppError('internal', 'The detection found nothing out.');
  return found;
}
