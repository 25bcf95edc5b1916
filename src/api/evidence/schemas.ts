// Evidence of failures as the API shows it.
import { z } from 'zod';
import type { Evidence } from '../../store/evidence/evidence.ts';
import { nameSchemas } from '../validation/named.ts';

export const EvidenceView = z.object({
  id: z.string(),
  task_id: z.string(),
  run_id: z.string(),
  attempt: z.int(),
  source: z.string(),
  code: z.string().meta({
    description: 'Code of the error; `suspect` if the attempt succeeded and its results look wrong.',
  }),
  worker: z.string(),
  url: z.string().meta({ description: 'Address of the page after redirects, without secrets.' }),
  status: z.int().meta({ description: 'HTTP status.' }),
  captured_at: z.string(),
  page: z
    .object({
      path: z.string(),
      media_type: z.string(),
      bytes: z.int().meta({ description: 'Compressed, as it is kept.' }),
      chars: z.int().meta({ description: 'Of the whole page.' }),
      is_cut: z.boolean().meta({ description: 'Only its beginning was kept.' }),
    })
    .nullable(),
  screenshot: z.object({ path: z.string(), media_type: z.string(), bytes: z.int() }).nullable(),
  left_out: z.array(z.string()).meta({ description: 'What was not kept, and why.' }),
});
export type EvidenceView = z.infer<typeof EvidenceView>;
nameSchemas({ Evidence: EvidenceView });

export function evidenceView(one: Evidence): EvidenceView {
  const path = `/evidence/${one.id}`;
  return {
    id: one.id,
    task_id: one.taskId,
    run_id: one.runId,
    attempt: one.attempt,
    source: one.source,
    code: one.code,
    worker: one.worker,
    url: one.url,
    status: one.status,
    captured_at: one.capturedAt.toISOString(),
    page:
      one.pageBytes === null
        ? null
        : {
            path: `${path}/page`,
            media_type: one.mediaType,
            bytes: one.pageBytes,
            chars: one.pageChars,
            is_cut: one.isCut,
          },
    screenshot:
      one.screenshotBytes === null || one.screenshotType === null
        ? null
        : { path: `${path}/screenshot`, media_type: one.screenshotType, bytes: one.screenshotBytes },
    left_out: one.leftOut,
  };
}

const ID = '019a1b2c-3d4e-7000-8a1b-2c3d4e5f6099';
export const EVIDENCE_EXAMPLE: EvidenceView = {
  id: ID,
  task_id: '019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071',
  run_id: 'job_a1b2c3d4e5f6',
  attempt: 1,
  source: 'article',
  code: 'captcha',
  worker: 'worker-1',
  url: 'https://example.com/story',
  status: 403,
  captured_at: '2026-02-04T10:33:00.000Z',
  page: { path: `/evidence/${ID}/page`, media_type: 'text/html', bytes: 18_230, chars: 91_400, is_cut: false },
  screenshot: { path: `/evidence/${ID}/screenshot`, media_type: 'image/png', bytes: 60_112 },
  left_out: [],
};
