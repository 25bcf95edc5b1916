// Keeps what workers send of failures: takes it off the wire, stores it, and deletes what is past the limits. Beside recording: a run waits for none of it.
// What a reader would get wrong: with files in S3 the row is written after them and deleted after them, so that no row is without its files and nothing is
// forgotten there.

import { AppError } from '../../model/errors.ts';
import { EvidenceReport, pictureType } from '../../model/evidence/evidence.ts';
import type { Evidence, NewEvidence } from '../../store/evidence/evidence.ts';
import type { EvidenceKeepingStore } from '../../store/evidence/evidence-store.ts';
import type { EvidenceFiles, EvidencePart } from '../../store/evidence/s3-files.ts';
import type { MarkStore } from '../../store/marks.ts';
import type { Wire } from '../../wire/port.ts';
import type { Step } from '../loops/run-loops.ts';

export interface KeepEvidenceOptions {
  store: EvidenceKeepingStore & Pick<MarkStore, 'takeTurn'>;
  wire: Pick<Wire, 'readEvidence'>;
  /** Null: what comes is thrown away. */
  limits: EvidenceKeepingLimits | null;
  /** Where files go; null: into the database. */
  files: EvidenceFiles | null;
  onKept(one: EvidenceReport): void;
  onInvalid(problem: string): void;
}

export interface EvidenceKeepingLimits {
  days: number;
  maxBytes: number;
  /** For each source and cause. */
  perCause: number;
}

const READ_MAX = 8;
const DELETED_AT_A_TIME = 100;
/** A little less than the minute after which the loop comes again. */
const TURN_SECONDS = 50;

export function createKeepEvidence(options: KeepEvidenceOptions): { keep: Step; trim: Step } {
  const { store, wire, files, limits } = options;

  async function save(raw: unknown, perCause: number): Promise<void> {
    const parsed = EvidenceReport.safeParse(raw);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      options.onInvalid(`${issue?.path.join('.')}: ${issue?.message}`);
      return;
    }
    const one = newEvidence(parsed.data, files ? 's3' : 'database');
    if (files) for (const [part, bytes] of filesOf(one)) await files.put(one.id, part, bytes);
    try {
      if (await store.saveEvidence(one)) options.onKept(parsed.data);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') throw error;
      // The store refuses it for what is in it, and would again.
      options.onInvalid(error instanceof Error ? error.message : String(error));
      return;
    }
    const { source, code } = one;
    await remove(await store.surplusEvidence({ source, code, keep: perCause, batch: DELETED_AT_A_TIME }));
  }

  async function remove(gone: Evidence[]): Promise<void> {
    if (gone.length === 0) return;
    for (const { id, place, pageBytes, screenshotBytes } of gone) {
      if (place === 'database') continue;
      // Of a bucket that is no longer configured nothing can be deleted: its row goes all the same.
      if (pageBytes !== null) await files?.remove(id, 'page');
      if (screenshotBytes !== null) await files?.remove(id, 'screenshot');
    }
    await store.forgetEvidence(gone.map((one) => one.id));
  }

  return {
    async keep(signal, wake) {
      const batch = await wire.readEvidence(READ_MAX);
      if (batch.evidence.length === 0) return;
      if (limits) for (const one of batch.evidence) if (!signal.aborted) await save(one, limits.perCause);
      if (signal.aborted && limits) return;
      await batch.ack();
      wake();
    },
    async trim(signal) {
      // One orchestrator is enough.
      if (!limits || !(await store.takeTurn('trim-evidence', TURN_SECONDS))) return;
      for (;;) {
        const gone = await store.oldEvidence({ ...limits, batch: DELETED_AT_A_TIME });
        if (gone.length === 0 || signal.aborted) return;
        await remove(gone);
      }
    },
  };
}

function filesOf({ page, screenshot }: NewEvidence): [EvidencePart, Uint8Array][] {
  return Object.entries({ page, screenshot }).flatMap(([part, bytes]) =>
    bytes === null ? [] : [[part as EvidencePart, bytes] as const],
  ) as [EvidencePart, Uint8Array][];
}

function newEvidence(report: EvidenceReport, place: NewEvidence['place']): NewEvidence {
  const screenshot = report.screenshot === null ? null : Buffer.from(report.screenshot, 'base64');
  const screenshotType = screenshot && pictureType(screenshot);
  const refused = screenshot && !screenshotType ? ['The screenshot is neither PNG nor JPEG.'] : [];
  return {
    id: report.id,
    taskId: report.task_id,
    attempt: report.attempt,
    runId: report.run_id,
    source: report.scraper_type,
    code: report.code,
    worker: report.worker,
    url: report.url,
    status: report.status,
    mediaType: report.media_type,
    pageChars: report.page_chars,
    isCut: report.is_cut,
    page: report.page === null ? null : Buffer.from(report.page, 'base64'),
    screenshot: screenshotType ? screenshot : null,
    screenshotType: screenshotType ?? null,
    leftOut: [...report.left_out, ...refused],
    place,
    capturedAt: new Date(report.captured_at),
  };
}
