// Series over time, drawn by uPlot (loaded when the first chart is shown). What the lines say is also a table for those who cannot see them.
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { theme } from '../../shell/theme.ts';

export type ChartTone = 'good' | 'bad' | 'warn' | 'active' | 'quiet' | 'accent';

export interface Series {
  label: string;
  tone: ChartTone;
  values: readonly (number | null)[];
}

interface ChartProps {
  title: string;
  /** Seconds since 1970, ascending. */
  times: readonly number[];
  series: readonly Series[];
  /** On top of each other, as bars. */
  isStacked?: boolean;
  /** Counts, not measures. */
  isWhole?: boolean;
  format(value: number): string;
  height?: number;
}

export function Chart({
  title,
  times,
  series,
  isStacked = false,
  isWhole = isStacked,
  format,
  height = 160,
}: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<{ set(data: uPlot.AlignedData): void; close(): void } | null>(null);
  const tones = series.map(({ tone, label }) => `${tone} ${label}`).join();
  const data: uPlot.AlignedData = [
    [...times],
    ...(isStacked ? stacked(series) : series.map(({ values }) => [...values])),
  ];
  const latest = useRef(data);
  latest.current = data;
  const look = theme.value;

  useEffect(() => {
    let isGone = false;
    void import('./plot.ts').then(({ drawPlot }) => {
      if (isGone || !element.current) return;
      plot.current = drawPlot(element.current, { series, isStacked, isWhole, format, height, data: latest.current });
    });
    return () => {
      isGone = true;
      plot.current?.close();
      plot.current = null;
    };
  }, [tones, isStacked, isWhole, height, look]);
  useEffect(() => plot.current?.set(data));

  return (
    <figure class="chart">
      <figcaption>
        <span>{title}</span>
        <span class="legend">
          {series.map(({ label, tone }) => (
            <span key={label} class={`key ${tone}`}>
              {label}
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={element} class="plot" style={{ minHeight: `${height}px` }} aria-hidden="true" />
      <div class="for-readers">
        <ChartTable title={title} times={times} series={series} format={format} />
      </div>
    </figure>
  );
}

/** Of many points the last ones. */
const ROWS_MAX = 48;

function ChartTable({ title, times, series, format }: Omit<ChartProps, 'height' | 'isStacked' | 'isWhole'>) {
  const from = Math.max(0, times.length - ROWS_MAX);
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {series.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.slice(from).map((time, at) => (
          <tr key={time}>
            <th scope="row">{new Date(time * 1_000).toISOString().slice(0, 16).replace('T', ' ')}</th>
            {series.map(({ label, values }) => {
              const value = values[from + at];
              return <td key={label}>{value === null || value === undefined ? 'nothing' : format(value)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The first one at the bottom. uPlot draws the sums, the largest first. */
function stacked(series: readonly Series[]): number[][] {
  const sums = series[0]?.values.map(() => 0) ?? [];
  return series.map(({ values }) => values.map((value, at) => (sums[at] = sums[at]! + (value ?? 0))));
}
