// Quality checks as the API shows them.
import { z } from 'zod';
import { QUALITY_VERDICTS } from '../../model/quality/judge.ts';
import type { Evidence } from '../../store/evidence/evidence.ts';
import type { QualityCheck } from '../../store/quality/quality-list.ts';
import { EvidenceView, evidenceView } from '../evidence/schemas.ts';
import { nameSchemas } from '../validation/named.ts';

export const HELD_STATES = ['held', 'accepted', 'rejected', 'superseded'] as const;

const share = z.number().nullable();

export const FindingView = z.object({
  rule: z
    .string()
    .meta({ description: 'A field, or `items`, `refused`, `duplicates`, `title_length`, `text_length`, `selectors`.' }),
  selector: z.string().optional().meta({
    description: 'Of the rule `selectors`: the field with its selector or path, which finds less than it did.',
  }),
  verdict: z.enum(QUALITY_VERDICTS),
  value: z.number(),
  expected: z.number().nullable().meta({ description: 'Median of the runs before; null where there were none.' }),
  runs: z.int().meta({ description: 'Runs before that it was compared with.' }),
  message: z.string(),
  held: z.boolean().meta({ description: 'Items were kept apart because of it.' }),
});

/** On runs of all kinds: null where nothing was judged, or not yet. */
export const RunQuality = z
  .object({ verdict: z.enum(QUALITY_VERDICTS), findings: z.array(FindingView.extend({ source: z.string() })) })
  .nullable()
  .meta({
    description: 'How good the results were next to the runs before; null where nothing was judged, or not yet.',
  });

export const CheckView = z.object({
  run_id: z.string(),
  task_id: z.string().nullable().meta({ description: 'Null for articles, which are judged together, by site.' }),
  source: z.string(),
  kind: z.string(),
  about: z.string().nullable().meta({ description: 'The site, for articles.' }),
  verdict: z.enum(QUALITY_VERDICTS),
  findings: z.array(FindingView),
  measure: z.object({
    items: z.int(),
    duplicate_share: share,
    refused_share: share,
    completeness: z
      .record(z.string(), z.number())
      .meta({ description: 'Share of the items that have the field, by field.' }),
    title_length: share,
    text_length: share,
    selectors: z.record(z.string(), z.object({ rows: z.int(), found: z.int() })).meta({
      description: 'In how many rows each selector or path of the settings found something.',
    }),
  }),
  evidence: z.array(EvidenceView).meta({ description: 'Pages of suspect results, as far as they are kept.' }),
  state: z.enum(HELD_STATES).nullable().meta({
    description:
      '`held`: its items are kept apart. `superseded`: a later run was good. Null: nothing was decided, and its items are stored.',
  }),
  held_items: z.int(),
  decided_at: z.string().nullable(),
  checked_at: z.string(),
});
export type CheckView = z.infer<typeof CheckView>;
nameSchemas({ QualityCheck: CheckView, QualityFinding: FindingView });

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
const part = (some: number, of: number): number | null => (of === 0 ? null : rounded(some / of));

/** `evidence`: of the runs of these checks. */
export function checkView(check: QualityCheck, evidence: readonly Evidence[]): CheckView {
  const { items, duplicates, refused, filled, title_chars, text_chars, yields = {} } = check.measure;
  return {
    run_id: check.runId,
    task_id: check.taskId,
    source: check.source,
    kind: check.kind,
    about: check.about,
    verdict: check.verdict,
    findings: check.findings,
    measure: {
      items,
      duplicate_share: part(duplicates, items),
      refused_share: part(refused, items + refused),
      completeness: Object.fromEntries(Object.entries(filled).map(([field, count]) => [field, rounded(count / items)])),
      title_length: part(title_chars, items),
      text_length: part(text_chars, items),
      selectors: yields,
    },
    evidence: evidence.filter((one) => isOf(one, check)).map(evidenceView),
    state: check.state,
    held_items: check.heldItems,
    decided_at: check.decidedAt?.toISOString() ?? null,
    checked_at: check.at.toISOString(),
  };
}

/** Articles are judged together, by site. */
const isOf = (one: Evidence, { runId, taskId, source, about }: QualityCheck): boolean =>
  taskId === null
    ? one.runId === runId && one.source === source && URL.parse(one.url)?.hostname === about
    : one.taskId === taskId;

export const FINDING_EXAMPLE = {
  rule: 'company',
  verdict: 'suspect',
  value: 0,
  expected: 0.98,
  runs: 10,
  message: '0 % of the items have company, usually 98 %',
  held: true,
};

export const CHECK_EXAMPLE = {
  run_id: 'manual_a1b2c3d4e5f60718',
  task_id: '019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071',
  source: 'linkedin',
  kind: 'posting',
  about: null,
  verdict: 'suspect',
  findings: [FINDING_EXAMPLE],
  measure: {
    items: 50,
    duplicate_share: 0,
    refused_share: 0,
    completeness: { location: 1, salary: 0.38 },
    title_length: 31.2,
    text_length: 2104.5,
    selectors: {},
  },
  evidence: [],
  state: 'held',
  held_items: 50,
  decided_at: null,
  checked_at: '2026-02-04T10:34:10.000Z',
};
