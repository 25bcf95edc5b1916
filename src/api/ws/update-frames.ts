// Updates as the frames that subscribers to all runs get: built once for everyone who may see the same.
import { maySee } from '../../model/key/key.ts';
import type { RunUpdate } from '../../model/run/run.ts';
import { updateMessage } from '../articles/views.ts';
import { textFrame } from './frame.ts';

export interface Frames {
  /** That may be seen. */
  updates: RunUpdate[];
  /** A frame for each. */
  single(): Buffer;
  /** One for all. */
  batch(): Buffer;
}

/** `sees`: whose updates; null: everybody's. */
export function createFrames(all: RunUpdate[]): (sees: string | null) => Frames {
  const known = new Map<string | null, Frames>();
  return (sees) => {
    let frames = known.get(sees);
    if (!frames) {
      frames = framesOf(sees === null ? all : all.filter(({ owner = null }) => maySee(sees, { owner })));
      known.set(sees, frames);
    }
    return frames;
  };
}

function framesOf(updates: RunUpdate[]): Frames {
  let single: Buffer | undefined;
  let batch: Buffer | undefined;
  return {
    updates,
    single: () => (single ??= Buffer.concat(updates.map((update) => textFrame(updateMessage(update))))),
    batch: () => (batch ??= textFrame(`[${updates.map(updateMessage).join(',')}]`)),
  };
}
