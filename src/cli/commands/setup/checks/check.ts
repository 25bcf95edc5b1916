// One check of `windrow doctor`. `warn` works but may fail later; `fail` does not work.
export interface Finding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  detail: string;
  /** What should hold, and the rows that break it, of a check of the database. */
  rule?: string;
  ids?: string[];
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });
export const warn = (check: string, detail: string): Finding => ({ check, status: 'warn', detail });
export const fail = (check: string, detail: string): Finding => ({ check, status: 'fail', detail });

/** An error while checking becomes a failed check. */
export async function finding(check: string, look: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [fail(check, error instanceof Error ? error.message : String(error))];
  }
}
