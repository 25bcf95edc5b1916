// uPlot with our colours. It is told colours once, so a change of the theme draws it anew.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Series } from './chart.tsx';

interface PlotOptions {
  series: readonly Series[];
  isStacked: boolean;
  /** Counts, not measures. */
  isWhole: boolean;
  format(value: number): string;
  height: number;
  data: uPlot.AlignedData;
}

const DAY_SECONDS = 86_400;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clockWithSeconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Of a tick, by the seconds between two of them. */
function timeText(at: number, step: number): string {
  const format = step >= DAY_SECONDS ? day : step < 60 ? clockWithSeconds : clock;
  return format.format(at * 1_000);
}

/** More points than this are a line. */
const DOTTED = 60;
const BARS = uPlot.paths.bars!({ size: [0.7, 24], align: 0 });

/** Of things that are counted there is no half. */
const WHOLE = [1, 2, 5]
  .flatMap((digit) => Array.from({ length: 12 }, (_, zeros) => digit * 10 ** zeros))
  .sort((a, b) => a - b);

export function drawPlot(element: HTMLElement, { series, isStacked, isWhole, format, height, data }: PlotOptions) {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const line = (given: Series): uPlot.Series => ({
    label: given.label,
    stroke: colour(`chart-${given.tone}`),
    width: isStacked ? 0 : 1.5,
    ...(isStacked ? { fill: colour(`chart-${given.tone}`), paths: BARS } : {}),
    points: {
      show: (_, __, from, to) => !isStacked && to - from < DOTTED,
      size: 4,
      fill: colour(`chart-${given.tone}`),
    },
    spanGaps: false,
  });
  // Sums are drawn from the largest to the smallest, so that each shows its own part.
  const order = series.map((_, at) => at);
  if (isStacked) order.reverse();
  const arranged = (all: uPlot.AlignedData): uPlot.AlignedData =>
    [all[0], ...order.map((at) => all[at + 1]!)] as uPlot.AlignedData;
  const axis: uPlot.Axis = {
    stroke: colour('text-quiet'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  const plot = new uPlot(
    {
      width: element.clientWidth || 300,
      height,
      legend: { show: false },
      cursor: { y: false, points: { show: !isStacked }, drag: { x: false, y: false } },
      // Half of the last time is to the right of its point.
      padding: [8, 28, 0, 0],
      scales: {
        x: { time: true },
        y: { range: (_, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 64,
          size: 28,
          values: (_, ticks, _axis, _space, step) => ticks.map((at) => timeText(at, step)),
        },
        { ...axis, size: 56, space: 32, values: (_, ticks) => ticks.map(format), ...(isWhole ? { incrs: WHOLE } : {}) },
      ],
      series: [{}, ...order.map((at) => line(series[at]!))],
    },
    arranged(data),
    element,
  );
  const resizing = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height });
  });
  resizing.observe(element);
  return {
    set: (next: uPlot.AlignedData) => plot.setData(arranged(next)),
    close() {
      resizing.disconnect();
      plot.destroy();
    },
  };
}
