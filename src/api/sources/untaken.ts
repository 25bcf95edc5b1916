// Which sources no worker takes the tasks of, and why: what a run that waits says of itself.
import type { SourceAbout } from '../../model/source/site.ts';
import { whyUntaken } from '../../model/source/staffing.ts';
import type { WorkerBeat } from '../../model/task/messages.ts';

export async function untakenSources(
  sources: readonly SourceAbout[],
  workers: () => Promise<WorkerBeat[]>,
): Promise<ReadonlyMap<string, string>> {
  let beats: WorkerBeat[];
  try {
    beats = await workers();
  } catch {
    // Without the wire nobody can be heard, and that says nothing about who is there; its outage is reported elsewhere.
    return new Map();
  }
  return new Map(
    sources.flatMap((source) => {
      const reason = whyUntaken(source, beats);
      return reason === null ? [] : [[source.name, reason]];
    }),
  );
}
