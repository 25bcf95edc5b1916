// What was asked, as it was stored.
import { Copyable } from '../../parts/copyable.tsx';
import { Empty } from '../../parts/empty.tsx';
import type { RunDetail } from './screen.tsx';

export function RequestTab({ run }: { run: RunDetail }) {
  if (Object.keys(run.request).length === 0)
    return (
      <Empty icon="list" title="Nothing besides its entries">
        What it asked for is under Tasks.
      </Empty>
    );
  return <Copyable text={JSON.stringify(run.request, null, 2)} label="Copy the request" />;
}
