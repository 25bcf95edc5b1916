// How far a replica is behind. Positions in the log of the primary are noted with the time they were seen; the replica is as old as the oldest that it has not reached. No clock of
// another machine counts, and a primary that writes nothing is no lag.

export interface Lag {
  /** What both said, and when they were asked. A primary that cannot be asked has no new position. */
  note(primary: bigint | null, replica: bigint, atMs: number): void;
  ms(nowMs: number): number;
}

/** Of a replica that is minutes behind only the oldest count. */
const NOTED_MAX = 600;

export function createLag(): Lag {
  let notReached: { position: bigint; atMs: number }[] = [];
  return {
    note(primary, replica, atMs) {
      const last = notReached.at(-1);
      if (primary !== null && notReached.length < NOTED_MAX && (last === undefined || primary > last.position))
        notReached.push({ position: primary, atMs });
      notReached = notReached.filter(({ position }) => position > replica);
    },
    ms: (nowMs) => (notReached[0] ? nowMs - notReached[0].atMs : 0),
  };
}

/** `16/B374D848`, as PostgreSQL writes it. */
export function walPosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
