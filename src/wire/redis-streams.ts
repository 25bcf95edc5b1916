// The stream commands that need more than a line.
import type { Redis } from 'ioredis';

/** Adds every argument as a task: one command for a whole batch. */
export const SEND_SCRIPT = `
for _, task in ipairs(ARGV) do redis.call('XADD', KEYS[1], '*', 'task', task) end
return #ARGV`;

/**
 * Reads up to ARGV[2] tasks from the streams in the order given and deletes them in the same step: what is in a stream has not been taken.
 * KEYS: streams; ARGV: consumer, count.
 */
export const TAKE_SCRIPT = `
local left = tonumber(ARGV[2])
local taken = {}
for _, stream in ipairs(KEYS) do
  if left <= 0 then break end
  local reply = redis.call('XREADGROUP', 'GROUP', 'workers', ARGV[1], 'COUNT', left, 'NOACK', 'STREAMS', stream, '>')
  if reply then
    local entries = reply[1][2]
    local ids = {}
    for i, entry in ipairs(entries) do
      ids[i] = entry[1]
      taken[#taken + 1] = entry[2][2]
    end
    redis.call('XDEL', stream, unpack(ids))
    left = left - #entries
  end
end
return taken`;

export function isNoGroup(error: unknown): boolean {
  return error instanceof Error && error.message.includes('NOGROUP');
}

/** From the start of the stream: entries sent before the group existed (or after a flush, before it was made again) count too. */
export async function createGroup(redis: Redis, stream: string, group: string): Promise<void> {
  try {
    await redis.xgroup('CREATE', stream, group, '0', 'MKSTREAM');
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('BUSYGROUP'))) throw error;
  }
}

/** Past this, a report was read by an orchestrator that died before it committed. */
export const ABANDONED_MS = 15_000;

/** Reports that a dead orchestrator read and never acknowledged. */
export async function claimAbandoned(redis: Redis, stream: string, consumer: string): Promise<[string, string[]][]> {
  try {
    const reply = (await redis.xautoclaim(stream, 'orchestrators', consumer, ABANDONED_MS, '0', 'COUNT', 32)) as [
      string,
      [string, string[]][],
    ];
    return reply[1].filter((entry) => entry?.[1]);
  } catch (error) {
    if (isNoGroup(error)) return [];
    throw error;
  }
}
