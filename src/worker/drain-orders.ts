// Whether this worker may take tasks, as somebody decided who watches the fleet. A message says so at once, every heartbeat asks again; while the wire knows
// nothing, what was said last holds, so that a flushed Redis wakes nobody up.
import type { Wire } from '../wire/port.ts';

export interface DrainOrders {
  readonly isDrained: boolean;
  /** Asks the wire. Rejects while it cannot be reached. */
  ask(): Promise<void>;
  close(): void;
}

export function createDrainOrders(options: {
  wire: Pick<Wire, 'drains' | 'onDrains'>;
  name: string;
  onChange(isDrained: boolean): void;
}): DrainOrders {
  const { wire, name } = options;
  let isDrained = false;
  const hear = (names: readonly string[] | null): void => {
    if (names === null || names.includes(name) === isDrained) return;
    isDrained = !isDrained;
    options.onChange(isDrained);
  };
  const unsubscribe = wire.onDrains(hear);
  return {
    get isDrained() {
      return isDrained;
    },
    async ask() {
      hear(await wire.drains());
    },
    close: unsubscribe,
  };
}
