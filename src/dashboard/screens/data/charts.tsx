// Charts of the analytics: values over time, and the largest groups.
import type { Reply, RouteName } from '../../api/call.ts';
import { type Answer, useAnswer } from '../../live/answers.ts';
import { Bar } from '../../parts/chart/bar.tsx';
import { Chart, type ChartTone } from '../../parts/chart/chart.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { shortCount, shorten } from '../../parts/text/words.ts';

export type AnalyticRoute = Extract<RouteName, `GET /analytics/${string}`>;
type Row = Record<string, unknown>;

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const STEP_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
const BUCKETS_MAX = 2_000;

/** The API leaves out buckets without anything; a chart needs them, or a day alone would fill it. */
function everyBucket({ from, to, bucket, rows }: Reply<AnalyticRoute>, nothing: 0 | null): Row[] {
  if (rows.length === 0 || !(bucket && bucket in STEP_MS)) return rows;
  const stepMs = STEP_MS[bucket as keyof typeof STEP_MS];
  const byTime = new Map(rows.map((row) => [Date.parse(String(row.bucket)), row]));
  const fields = Object.keys(rows[0]!).filter((name) => name !== 'bucket');
  const filled: Row[] = [];
  const first = Math.min(...byTime.keys());
  // From the period's own beginning, in step with the buckets that are there.
  const start = first - Math.floor((first - Date.parse(from)) / stepMs) * stepMs;
  for (let at = start; at < Date.parse(to) && filled.length < BUCKETS_MAX; at += stepMs)
    filled.push(
      byTime.get(at) ?? {
        bucket: new Date(at).toISOString(),
        ...Object.fromEntries(fields.map((name) => [name, nothing])),
      },
    );
  return filled;
}

interface BucketChartProps {
  title: string;
  route: AnalyticRoute;
  query: Record<string, string>;
  lines: readonly { field: string; label: string; tone: ChartTone }[];
  isBars?: boolean;
  format?(value: number): string;
}

export function BucketChart({ title, route, query, lines, isBars = false, format = shortCount }: BucketChartProps) {
  const answer = useAnswer(route, { query } as never, { every: 0 }) as Answer<Reply<AnalyticRoute>>;
  const rows = answer.data ? everyBucket(answer.data, isBars ? 0 : null) : [];
  const times = rows.map((row) => Date.parse(String(row.bucket)) / 1_000);
  return (
    <section class="panel">
      {answer.isFirst ? (
        <Skeleton rows={5} label={title} />
      ) : answer.problem ? (
        <ProblemNote problem={answer.problem} onRetry={answer.reload} />
      ) : rows.length === 0 ? (
        <p class="quiet">{title}: nothing in this period.</p>
      ) : (
        <Chart
          title={title}
          times={times}
          isStacked={isBars}
          format={format}
          series={lines.map(({ field, label, tone }) => ({
            label,
            tone,
            values: rows.map((row) => numberOf(row[field])),
          }))}
        />
      )}
    </section>
  );
}

interface RankingProps {
  title: string;
  answer: Answer<{ rows: Row[] }>;
  groupOf(row: Row): string;
  /** Added up where a group has several rows: one for each bucket. */
  valueField: string;
}

export function Ranking({ title, answer, groupOf, valueField }: RankingProps) {
  const sums = new Map<string, number>();
  for (const row of answer.data?.rows ?? [])
    sums.set(groupOf(row), (sums.get(groupOf(row)) ?? 0) + (numberOf(row[valueField]) ?? 0));
  const groups = [...sums].sort(([, a], [, b]) => b - a);
  const most = Math.max(1, groups[0]?.[1] ?? 0);
  return (
    <section class="panel">
      <h2>{title}</h2>
      {answer.isFirst && <Skeleton rows={5} label={title} />}
      {answer.problem && <ProblemNote problem={answer.problem} onRetry={answer.reload} />}
      {answer.data && groups.length === 0 && <p class="quiet">Nothing in this period.</p>}
      <ol class="ranking">
        {groups.map(([group, value]) => (
          <li key={group}>
            <span class="cut">{shorten(group, 60)}</span>
            <Bar label={`${group}: ${value}`} total={most} parts={[{ value, tone: 'active' }]} />
            <span>{shortCount(Math.round(value))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
