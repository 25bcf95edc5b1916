// What every answer over time has in common: the period and its buckets, the groups, the shape of the answer as JSON or CSV.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BUCKETS, type Bucket, spanErrors } from '../../model/analytics.ts';
import { csvLine } from '../../model/csv.ts';
import type { Counted, Keyed } from '../../store/rollups/grouped.ts';
import { CSV, formatOf } from '../export/formats.ts';
import type { Reply } from '../http/route.ts';
import { namesOf, TimeFilter } from '../lists/filters.ts';
import { timeOf } from '../validation/times.ts';
import { invalid } from '../validation/validators.ts';

/** Default length of the period, without `from`. */
const DAYS = 30;
const DAYS_OF_HOURS = 7;
const GROUPS_SHOWN = 20;
const GROUPS_MAX = 200;
const SHOWN_TOGETHER = 2;

export const COMMON = {
  from: TimeFilter.meta({
    description: `A day or a time. Default: ${DAYS} days before \`to\`, ${DAYS_OF_HOURS} with \`bucket=hour\`, from the beginning of the bucket.`,
  }),
  to: TimeFilter.meta({ description: 'End of the period, not included. Default: now.' }),
  format: z.enum(['json', 'csv']).optional().meta({ description: 'Instead of `Accept`.' }),
};
export const BUCKET = z.enum(Object.keys(BUCKETS) as [Bucket, ...Bucket[]]);
export const groupBy = (groups: object) =>
  z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: `One or two of ${Object.keys(groups).join(', ')}, separated by a comma.` });
export const Limit = z
  .int()
  .min(1)
  .max(GROUPS_MAX)
  .default(GROUPS_SHOWN)
  .meta({ description: 'Maximum number of groups (the largest ones).' });

export interface Answer {
  from: Date;
  to: Date;
  bucket: Bucket | null;
  groupBy: readonly string[];
  isCut: boolean;
  asOf: Date;
  columns: readonly string[];
  rows: Record<string, unknown>[];
}

export function answers(row: Record<string, unknown>, group: Record<string, string>): Record<number, Reply> {
  const example = { bucket: '2024-01-01T00:00:00.000Z', ...group, ...row };
  return {
    200: {
      description: 'Rows by time, the largest group first.',
      schema: z.object({
        from: z.string(),
        to: z.string(),
        bucket: z.string().nullable(),
        group_by: z.array(z.string()),
        groups_cut: z.boolean(),
        as_of: z.string().meta({ description: 'Everything recorded until then is counted.' }),
        rows: z.array(z.record(z.string(), z.unknown())),
      }),
      examples: {
        'application/json': {
          from: '2024-01-01T00:00:00.000Z',
          to: '2024-01-31T00:00:00.000Z',
          bucket: 'day',
          group_by: Object.keys(group),
          groups_cut: false,
          as_of: '2024-01-31T00:00:00.000Z',
          rows: [example],
        },
        'text/csv': `${Object.keys(example).join(',')}\r\n`,
      },
    },
  };
}

export const wrongGroups = (detail: string) => invalid([{ pointer: '/group_by', detail }], 'querystring');

export function groupsOf<G extends string>(text: string | undefined, groups: Record<G, string>): G[] {
  const names = [...new Set(namesOf(text) ?? [])];
  const unknown = names.find((name) => !Object.hasOwn(groups, name));
  if (unknown !== undefined)
    throw wrongGroups(`has an unknown group "${unknown}". Known groups: ${Object.keys(groups).join(', ')}`);
  if (names.length > SHOWN_TOGETHER) throw wrongGroups(`may have at most two groups, not ${names.length}`);
  return names as G[];
}

export function spanOf(query: {
  from?: string | undefined;
  to?: string | undefined;
  bucket?: Bucket | undefined;
  limit: number;
}) {
  const to = query.to === undefined ? new Date() : timeOf('to', query.to);
  const days = query.bucket === 'hour' ? DAYS_OF_HOURS : DAYS;
  const from = query.from === undefined ? daysBefore(to, days, query.bucket) : timeOf('from', query.from);
  const span = { from, to, bucket: query.bucket ?? null, limit: query.limit };
  const errors = spanErrors(span);
  if (errors.length > 0) throw invalid(errors, 'querystring');
  return span;
}

/** The beginning of a bucket, or of a day. */
function daysBefore(to: Date, days: number, bucket: Bucket | undefined): Date {
  const at = to.getTime() - days * BUCKETS.day;
  const size = BUCKETS[bucket ?? 'day'];
  // Weeks begin on Mondays, and 1970-01-05 was one.
  const first = bucket === 'week' ? 4 * BUCKETS.day : 0;
  return new Date(Math.floor((at - first) / size) * size + first);
}

export function answerOf<T extends Keyed>(
  { from, to, bucket, groups }: Pick<Answer, 'from' | 'to' | 'bucket'> & { groups: readonly string[] },
  { rows, isCut, asOf }: Counted<T>,
  columns: readonly string[],
): Answer {
  return {
    from,
    to,
    bucket,
    groupBy: groups,
    isCut,
    asOf,
    columns,
    rows: rows.map(({ bucket: at, groups: values, ...row }) => ({
      bucket: at?.toISOString() ?? null,
      ...Object.fromEntries(groups.map((group, index) => [group, values[index] ?? null])),
      ...row,
    })),
  };
}

export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): unknown {
  const { from, to, bucket, groupBy, isCut, asOf, rows } = answer;
  const { format } = request.query as { format?: 'json' | 'csv' };
  reply.header('vary', 'accept');
  if ((format ?? formatOf(request.headers.accept)) === 'csv') {
    const columns = [...(bucket === null ? [] : ['bucket']), ...groupBy, ...answer.columns];
    const lines = rows.map((row) => csvLine(columns.map((column) => cellOf(row[column]))));
    return reply.type(`${CSV}; charset=utf-8`).send(csvLine(columns) + lines.join(''));
  }
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ from, to, bucket, group_by: groupBy, groups_cut: isCut, as_of: asOf, rows }));
}

const cellOf = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
