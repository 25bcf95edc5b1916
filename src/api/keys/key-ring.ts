// The keys of the store as one API process knows them: read again every two seconds, and at once when a key comes that is not among them. So a new key works
// everywhere at once, and a revoked one for two seconds more. While PostgreSQL is away the keys that were known last keep working.
import type { KeyRingStore } from '../../store/keys/key-store.ts';
import type { KnownKey } from '../../store/keys/keys.ts';

export interface KeyRing {
  /** Undefined when it is not among the keys that were read last. */
  find(hash: string): KnownKey | undefined;
  findById(id: string): KnownKey | undefined;
  /** Whether there is a key that is not revoked; null while none could be read yet. */
  readonly hasKeys: boolean | null;
  /** Whether a key of this owner says how much it may have. */
  isLimited(owner: string): boolean;
  /** Reads what has changed; resolves when all changes committed before the call are known. */
  readAgain(): Promise<void>;
  /** Was used now; written later, with others. */
  noteUse(key: KnownKey): void;
  close(): Promise<void>;
}

export interface KeyRingOptions {
  store: KeyRingStore;
  /** Reading fails, after it worked, or works again. */
  onStale?(error: unknown): void;
  onFresh?(): void;
  everyMs?: number;
  writeUsesMs?: number;
}

/** Between two readings for keys that are not known: whoever guesses keys must not keep PostgreSQL busy. */
const PAUSE_MS = 20;
/** A row may be committed this long after its time of change. */
const OVERLAP_SECONDS = 60;

export async function createKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const { store, everyMs = 2_000, writeUsesMs = 60_000 } = options;
  const byHash = new Map<string, KnownKey>();
  const byId = new Map<string, KnownKey>();
  let limited: ReadonlySet<string> = new Set();
  let uses = new Map<string, Date>();
  let readAtMs: number | null = null;
  let hasKeys: boolean | null = null;
  let isStale = false;
  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function read(): Promise<void> {
    const startedAtMs = performance.now();
    const withinSeconds = readAtMs === null ? null : (startedAtMs - readAtMs) / 1_000 + OVERLAP_SECONDS;
    try {
      for (const key of await store.readKeys(withinSeconds)) {
        byHash.set(key.hash, key);
        byId.set(key.id, key);
      }
    } catch (error) {
      if (!isStale) options.onStale?.(error);
      isStale = true;
      throw error;
    }
    const all = [...byId.values()];
    hasKeys = all.some(({ revokedAt }) => revokedAt === null);
    limited = new Set(
      all.flatMap((key) => (key.maxOpenTasks === null && key.maxTasksPerDay === null ? [] : key.owner)),
    );
    if (isStale) options.onFresh?.();
    isStale = false;
    readAtMs = startedAtMs;
  }

  function begin(): Promise<void> {
    reading = read().finally(() => {
      reading = null;
    });
    return reading;
  }

  /** One reading that is under way may have looked too early: all who come meanwhile share the one after it. */
  function readAgain(): Promise<void> {
    if (!reading) return begin();
    next ??= reading
      .catch(() => {})
      .then(() => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)))
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  }

  async function writeUses(): Promise<void> {
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    try {
      await store.noteKeyUses([...written].map(([id, at]) => ({ id, at })));
    } catch {
      // Written with the next ones: it is about when a key was used, nobody waits for it.
      for (const [id, at] of written) if (!uses.has(id)) uses.set(id, at);
    }
  }

  // What fails is told by onStale, and tried again.
  const quietly = (work: Promise<void>): Promise<void> => work.catch(() => {});
  await quietly(readAgain());
  const timers = [
    setInterval(() => void quietly(readAgain()), everyMs).unref(),
    setInterval(() => void writeUses(), writeUsesMs).unref(),
  ];
  return {
    find: (hash) => byHash.get(hash),
    findById: (id) => byId.get(id),
    get hasKeys() {
      return hasKeys;
    },
    isLimited: (owner) => limited.has(owner),
    readAgain,
    noteUse: ({ id }) => void uses.set(id, new Date()),
    async close() {
      for (const timer of timers) clearInterval(timer);
      await writeUses();
    },
  };
}
