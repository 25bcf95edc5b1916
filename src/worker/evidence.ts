// Evidence of failures: the page that an attempt saw last is compressed and sent, after its result and never before it. Best effort with bounds: what cannot be
// sent in time is dropped, and nothing waits for it. Pages of attempts that succeeded are remembered for a moment, since only the orchestrator knows whether
// what they brought looks wrong; then it asks for them.
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import {
  type EvidenceReport,
  type EvidenceWish,
  PAGE_MAX_BYTES,
  SCREENSHOT_MAX_BYTES,
  SUSPECT,
} from '../model/evidence/evidence.ts';
import { secretValues, withoutKnownSecrets } from '../model/evidence/page-secrets.ts';
import { hideInText } from '../model/secrets.ts';
import type { Result, TaskMessage } from '../model/task/messages.ts';
import type { Seen, SeenPage } from '../web/seen.ts';
import { createAllowance } from './allowance.ts';
import { createRecentPages } from './recent-pages.ts';

export interface EvidenceOptions {
  send(evidence: EvidenceReport): Promise<void>;
  onError(error: unknown): void;
  now?(): number;
}

/** An attempt that has ended. */
export interface EndedAttempt {
  task: TaskMessage;
  worker: string;
  result: Pick<Result, 'status' | 'error'>;
  seen: Seen | undefined;
}

export interface EvidenceKeeper {
  ended(attempt: EndedAttempt): void;
  /** Sends what is still remembered of this. */
  asked(wish: EvidenceWish): void;
  /** Resolves when everything begun so far was sent or dropped. */
  flush(): Promise<void>;
}

const gzip = promisify(gzipWithCallback);
const CHARS_MAX = 1_000_000;
/** Text that is compressed this far cannot be above the limit, whatever it is. */
const CHARS_LEAST = 60_000;
/** Characters of pages that wait to be compressed and sent. */
const WAITING_CHARS = 8_000_000;
/** Nothing can be learnt from a page about these. */
const WITHOUT_PAGE = new Set(['cancelled', 'invalid_params', 'paced']);

export function createEvidence(options: EvidenceOptions): EvidenceKeeper {
  const allowance = createAllowance({ now: options.now ?? (() => performance.now()) });
  const recent = createRecentPages();
  const waiting = new Set<Promise<void>>();
  let chars = 0;

  function keep({ task, worker, page, seen }: Kept, code: string, runId = task.run_id): void {
    const kind = `${task.scraper_type} ${hostOf(page.url)} ${code}`;
    const size = Math.min(page.text.length, CHARS_MAX);
    if (chars + size > WAITING_CHARS || !allowance.take(kind)) return;
    chars += size;
    const work = makeEvidence({
      task,
      runId,
      worker,
      code,
      page,
      secrets: [...secretValues(task.params), ...seen.secrets()],
    })
      .then(options.send)
      .catch(options.onError)
      .finally(() => {
        chars -= size;
        waiting.delete(work);
      });
    waiting.add(work);
  }

  return {
    ended({ task, worker, result, seen }) {
      const { status, error } = result;
      const code = error?.code ?? error?.category ?? null;
      const page = seen?.page(code) ?? null;
      if (!seen || !page) return;
      if (status !== 'failed') recent.remember({ task, worker, host: hostOf(page.url), page, seen });
      else if (code !== null && !WITHOUT_PAGE.has(code)) keep({ task, worker, page, seen }, code);
    },
    asked(wish) {
      const found = recent.take(wish);
      if (found) keep(found, SUSPECT, wish.run_id);
    },
    async flush() {
      await Promise.all(waiting);
    },
  };
}

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? '';

interface Kept {
  task: TaskMessage;
  worker: string;
  page: SeenPage;
  seen: Seen;
}

interface Making {
  task: TaskMessage;
  runId: string;
  worker: string;
  code: string;
  page: SeenPage;
  secrets: string[];
}

async function makeEvidence({ task, runId, worker, code, page, secrets }: Making): Promise<EvidenceReport> {
  const { text, found } = withoutKnownSecrets(page.text.slice(0, CHARS_MAX), secrets);
  const leftOut: string[] = [];
  const picture = await pictureOf(page, found, leftOut);
  const packed = await pack(text);
  if (packed === null) leftOut.push(`The page of ${page.text.length} characters is too large to be kept.`);
  const isCut = packed !== null && packed.chars < page.text.length;
  if (isCut) leftOut.push(`Only the first ${packed.chars} of ${page.text.length} characters were kept.`);
  return {
    type: 'evidence',
    id: randomUUID(),
    task_id: task.task_id,
    run_id: runId,
    attempt: task.attempt,
    scraper_type: task.scraper_type,
    worker,
    code,
    url: withoutKnownSecrets(hideInText(page.url), secrets).text.slice(0, 4_000),
    status: page.status,
    media_type: page.mediaType.slice(0, 100),
    captured_at: page.at.toISOString(),
    page: packed?.bytes.toString('base64') ?? null,
    page_chars: page.text.length,
    is_cut: isCut,
    screenshot: picture,
    left_out: leftOut,
  };
}

/** As much of it as fits. */
async function pack(text: string): Promise<{ bytes: Buffer; chars: number } | null> {
  for (const chars of [CHARS_MAX, CHARS_MAX / 4, CHARS_LEAST]) {
    const part = text.slice(0, chars);
    const bytes = await gzip(part);
    if (bytes.length <= PAGE_MAX_BYTES) return { bytes, chars: part.length };
  }
  return null;
}

async function pictureOf({ picture }: SeenPage, showsSecrets: boolean, leftOut: string[]): Promise<string | null> {
  if (picture === null) return null;
  if (showsSecrets) {
    leftOut.push('The screenshot was left out, since the page shows a secret.');
    return null;
  }
  const bytes = await picture().catch(() => null);
  if (bytes === null) leftOut.push('No screenshot: the browser did not show the page any more.');
  else if (bytes.length > SCREENSHOT_MAX_BYTES) leftOut.push(`The screenshot of ${bytes.length} bytes is too large.`);
  else return Buffer.from(bytes).toString('base64');
  return null;
}
