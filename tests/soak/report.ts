// What a soak found, as a table for people, and whether anything is not as it has to be.
import type { SoakReport } from './soak.ts';

/** Everything that is wrong, worst first. Empty: the soak is passed. */
export const findings = (report: SoakReport): string[] => [
  ...report.lost.map((what) => `lost: ${what}`),
  ...report.doubled.map((what) => `doubled: ${what}`),
  ...report.stuck.map((what) => `stuck: ${what}`),
  ...report.wrong,
  ...report.problems,
];

const MAX_FINDINGS = 40;

export function tableOf(report: SoakReport): string[] {
  const kinds = Map.groupBy(report.faults, ({ name }) => name);
  const { worst } = report;
  const caughtUp = worst.caughtUpMs === null ? 'not within 60 s' : `after ${seconds(worst.caughtUpMs)}`;
  const rows: [string, string | number][] = [
    ['faults', report.faults.length],
    ...[...kinds]
      .sort((a, b) => b[1].length - a[1].length)
      .map(([name, all]): [string, number] => [`  ${name}`, all.length]),
    ['runs checked', report.runs],
    ['tasks', report.tasks],
    ['items expected', report.itemsExpected],
    ['items stored', report.itemsStored],
    ['lost', report.lost.length],
    ['doubled', report.doubled.length],
    ['stuck', report.stuck.length],
    ['wrong endings, contents or rules (I1–I6)', report.wrong.length],
    ['uncaught errors, ends and growth (I6–I8)', report.problems.length],
    ['second calls with the same key', report.sameKeyCalls],
    ['dead letters tried again', report.retriedDeadLetters],
    ['answers that said later', [...report.refusals].map(([what, count]) => `${what}: ${count}`).join(', ') || 'none'],
    ['worst recovery', `${seconds(worst.movedMs)}, caught up ${caughtUp}; after ${worst.after}`],
    ...[...report.end].map(([place, { megabytes, handles }]): [string, string] => {
      const first = report.begin.get(place)!;
      return [`${place}: begin → end`, `${first.megabytes} → ${megabytes} MB, ${first.handles} → ${handles} handles`];
    }),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const found = findings(report);
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    ...found.slice(0, MAX_FINDINGS).map((what) => `! ${what}`),
    ...(found.length > MAX_FINDINGS ? [`! and ${found.length - MAX_FINDINGS} more`] : []),
  ];
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
