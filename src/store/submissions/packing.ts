// Submissions as one text: a line with what tasks of the batch have in common (source, lane, priority, limits), then a line for each submission. Written
// once, the common part is half the bytes and half the time it takes to write them; a line by itself, one run can be read without the others.
import type { NewTask, Submission } from './submit.ts';

type Shape = Pick<NewTask, 'source' | 'lane' | 'priority' | 'maxRetries' | 'timeoutSeconds' | 'backoff'>;
type PackedTask = [shape: number, key: string, params: NewTask['params'], ref: NewTask['ref'], host?: string];

/** Only its own process knows the others. */
type PackedSubmission = Omit<
  Submission,
  'tasks' | 'mayGrowTo' | 'along' | 'idempotency' | 'quota' | 'acceptedAt' | 'links'
> & {
  tasks: PackedTask[];
};

/** Without keys and without more to write along, which only their own process knows. */
export function pack(batch: Submission[]): string {
  const shapes: Shape[] = [];

  function placeOf(task: NewTask): number {
    const known = shapes.findIndex((shape) => isShaped(task, shape));
    if (known >= 0) return known;
    const { source, lane, priority, maxRetries, timeoutSeconds, backoff } = task;
    return shapes.push({ source, lane, priority, maxRetries, timeoutSeconds, ...(backoff ? { backoff } : {}) }) - 1;
  }

  // JSON has no line break that is not escaped.
  const lines = batch.map((one) => JSON.stringify(packedOf(one, placeOf)));
  return `${JSON.stringify(shapes)}\n${lines.join('\n')}`;
}

const isShaped = (task: NewTask, shape: Shape): boolean =>
  task.source === shape.source &&
  task.lane === shape.lane &&
  task.priority === shape.priority &&
  task.maxRetries === shape.maxRetries &&
  task.timeoutSeconds === shape.timeoutSeconds &&
  task.backoff === shape.backoff;

/** Named one by one: copying the rest of an object takes five times as long. */
function packedOf(one: Submission, placeOf: (task: NewTask) => number): PackedSubmission {
  const all: Record<keyof PackedSubmission, unknown> = {
    runId: one.runId,
    kind: one.kind,
    itemKind: one.itemKind,
    trigger: one.trigger,
    requestId: one.requestId,
    owner: one.owner,
    options: one.options,
    traceparent: one.traceparent,
    maxAgeSeconds: one.maxAgeSeconds,
    turns: one.turns,
    reportsAges: one.reportsAges,
    tasks: one.tasks.map((task): PackedTask => {
      const packed: PackedTask = [placeOf(task), task.key, task.params, task.ref];
      if (task.host) packed.push(task.host);
      return packed;
    }),
  };
  return all as unknown as PackedSubmission;
}

/** All of a text, or any of its lines together with the first. */
export function unpack(text: string): Submission[] {
  const [common, ...lines] = text.split('\n');
  const shapes = JSON.parse(common!) as Shape[];
  return lines.map((line) => {
    const submission = JSON.parse(line) as PackedSubmission;
    return {
      ...submission,
      idempotency: null,
      tasks: submission.tasks.map(([shape, key, params, ref, host]) => ({
        key,
        params,
        ref,
        ...(host ? { host } : {}),
        ...shapes[shape]!,
      })),
    };
  });
}
