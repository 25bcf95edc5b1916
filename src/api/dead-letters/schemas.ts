// Shapes of dead letters in the API.
import { z } from 'zod';
import { ERRORS } from '../../model/errors.ts';
import { hideSecrets } from '../../model/secrets.ts';
import { errorOf } from '../../model/task/tried.ts';
import { redact } from '../../observe/redact.ts';
import type { Evidence } from '../../store/evidence/evidence.ts';
import type { DeadLetter, LetterFilter } from '../../store/queue/dead-letters.ts';
import { EVIDENCE_EXAMPLE, EvidenceView, evidenceView } from '../evidence/schemas.ts';
import { nameSchemas } from '../validation/named.ts';
import { timeOf } from '../validation/times.ts';

export const TaskParams = z.object({ task_id: z.string() });

const CATEGORIES = [...new Set(Object.values(ERRORS).map((row) => row.category))];
const time = z.string().max(40).optional();

export const filterFields = {
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
    .optional(),
  category: z.enum(CATEGORIES).optional(),
  code: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/)
    .optional()
    .meta({ description: 'Cause: the code of the error.' }),
  run_id: z
    .string()
    .regex(/^[\w-]{1,80}$/)
    .optional()
    .meta({ description: 'Those that this run asked for.' }),
  died_after: time,
  died_before: time,
};
const Filter = z.object(filterFields);
export type Filter = z.output<typeof Filter>;

export function letterFilter(wanted: Filter): LetterFilter {
  const { source = null, category = null, code = null, run_id: runId = null, died_after, died_before } = wanted;
  return {
    source,
    category,
    code,
    runId,
    diedAfter: died_after === undefined ? null : timeOf('died_after', died_after),
    diedBefore: died_before === undefined ? null : timeOf('died_before', died_before),
  };
}

const Cause = z.object({ category: z.string(), code: z.string().nullable(), message: z.string() });

export const Letter = z.object({
  task_id: z.string(),
  source: z.string(),
  lane: z.string(),
  run_id: z.string(),
  params: z.looseObject({}),
  priority: z.number().int(),
  attempts: z.number().int(),
  error: Cause.nullable(),
  died_at: z.string(),
});
nameSchemas({ DeadLetter: Letter });
export const LETTER_EXAMPLE = {
  task_id: '019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071',
  source: 'article',
  lane: 'http',
  run_id: 'job_a1b2c3d4e5f6',
  params: { url: 'https://example.com/gone' },
  priority: 5,
  attempts: 1,
  error: { category: 'not_found', code: 'not_found', message: '404 Not Found' },
  died_at: '2026-02-04T10:33:00.000Z',
};

export const OneLetter = Letter.extend({
  edited_from: z
    .looseObject({})
    .nullable()
    .meta({ description: 'If it was made by a retry with edited input: the input before.' }),
  tried: z
    .array(
      z.object({
        attempt: z.number().int(),
        worker: z.string().nullable(),
        started_at: z.string().nullable(),
        ended_at: z.string(),
        requests: z.number().int(),
        error: Cause,
      }),
    )
    .meta({ description: 'Attempts that went wrong, the last one last. At most 50.' }),
  evidence: z
    .array(EvidenceView)
    .meta({ description: 'Pages that its attempts saw, as far as they are kept, in the order of the attempts.' }),
});
export const ONE_LETTER_EXAMPLE = {
  ...LETTER_EXAMPLE,
  edited_from: null,
  tried: [
    {
      attempt: 1,
      worker: 'worker-1',
      started_at: '2026-02-04T10:32:59.200Z',
      ended_at: '2026-02-04T10:33:00.000Z',
      requests: 2,
      error: LETTER_EXAMPLE.error,
    },
  ],
  evidence: [{ ...EVIDENCE_EXAMPLE, code: 'not_found', status: 404, url: 'https://example.com/gone' }],
};

export const Group = z.object({
  source: z.string(),
  category: z.string(),
  code: z.string(),
  count: z.number().int(),
  first_died_at: z.string(),
  last_died_at: z.string(),
  sample: OneLetter.nullable().meta({ description: 'The newest one.' }),
  evidence: EvidenceView.nullable().meta({
    description: 'The newest page saved for this source and cause; it may be of another letter than the sample.',
  }),
});
export const GROUP_EXAMPLE = {
  source: 'article',
  category: 'not_found',
  code: 'not_found',
  count: 1,
  first_died_at: '2026-02-04T10:33:00.000Z',
  last_died_at: '2026-02-04T10:33:00.000Z',
  sample: ONE_LETTER_EXAMPLE,
  evidence: ONE_LETTER_EXAMPLE.evidence[0],
};

export const Retried = z.object({
  job_id: z.string(),
  status: z.string(),
  retried: z.number().int(),
  has_more: z.boolean(),
  died_before: z
    .string()
    .optional()
    .meta({ description: 'Send it with the next call while has_more: what fails again meanwhile is left out.' }),
});
export const RETRIED_EXAMPLE = { job_id: 'job_0a1b2c3d4e5f', status: 'IN_PROGRESS', retried: 1, has_more: false };

export const Removed = z.object({ removed: z.number().int(), has_more: z.boolean() });

export const DryRun = z.object({
  dry_run: z.literal(true),
  matching: z.number().int().meta({ description: 'By age or run counted no further than 100,000.' }),
  task_ids: z.array(z.string()).meta({ description: 'The newest of them.' }),
});
export const DRY_RUN_EXAMPLE = { dry_run: true, matching: 12, task_ids: [LETTER_EXAMPLE.task_id] };

export function letterView(letter: DeadLetter) {
  const { error } = letter;
  return {
    task_id: letter.taskId,
    source: letter.source,
    lane: letter.lane,
    run_id: letter.runId,
    params: shownParams(letter.params),
    priority: letter.priority,
    attempts: letter.attempts,
    error: error && { category: error.category, code: error.code ?? null, message: error.message },
    died_at: letter.diedAt.toISOString(),
  };
}

/** A task may hold its proxies, with passwords, and the headers of a company. */
export const shownParams = (params: Record<string, unknown>): Record<string, unknown> => redact(hideSecrets(params));

export function oneLetterView(letter: DeadLetter, evidence: readonly Evidence[]) {
  // Letters from before attempts were kept have their last one in the outcome only.
  const tried =
    letter.tried.length > 0 || !letter.error
      ? letter.tried
      : [
          {
            attempt: letter.attempts,
            worker: null,
            started_at: null,
            ended_at: letter.diedAt.toISOString(),
            requests: 0,
            error: errorOf(letter.error),
          },
        ];
  return {
    ...letterView(letter),
    edited_from: letter.editedFrom,
    tried: tried.map(({ error, ...one }) => ({ ...one, error: { ...error, code: error.code ?? null } })),
    evidence: evidence.filter((one) => one.taskId === letter.taskId).map(evidenceView),
  };
}
