// The stream commands that need more than a line.
import type { Redis } from 'ioredis';

/**
 * Adds every argument as a task, and wakes waiting workers: each of them pops one entry of the bell list. KEYS: stream, bell; ARGV: tasks.
 */
export const SEND_SCRIPT = `
for _, task in ipairs(ARGV) do redis.call('XADD', KEYS[1], '*', 'task', task) end
for _ = 1, math.min(#ARGV, 32) do redis.call('RPUSH', KEYS[2], '1') end
redis.call('LTRIM', KEYS[2], -256, -1)
return #ARGV`;

/**
 * Reads up to ARGV[1] tasks from the streams in the order given and deletes them in the same step, so that no crash can come between the two. If nothing
 * is left, nobody needs to be woken. KEYS: ARGV[2] streams, then bells.
 */
export const TAKE_SCRIPT = `
local left = tonumber(ARGV[1])
local streams = tonumber(ARGV[2])
local taken = {}
for k = 1, streams do
  if left <= 0 then break end
  local entries = redis.call('XRANGE', KEYS[k], '-', '+', 'COUNT', math.min(left, 1000))
  if #entries > 0 then
    local ids = {}
    for i, entry in ipairs(entries) do
      ids[i] = entry[1]
      taken[#taken + 1] = entry[2][2]
    end
    redis.call('XDEL', KEYS[k], unpack(ids))
    left = left - #entries
  end
end
if #taken == 0 then
  for k = streams + 1, #KEYS do redis.call('DEL', KEYS[k]) end
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
export async function claimAbandoned(
  redis: Redis,
  from: { stream: string; consumer: string; idleMs: number },
): Promise<[string, string[]][]> {
  try {
    const { stream, consumer, idleMs } = from;
    const reply = (await redis.xautoclaim(stream, 'orchestrators', consumer, idleMs, '0', 'COUNT', 32)) as [
      string,
      [string, string[]][],
    ];
    return reply[1].filter((entry) => entry?.[1]);
  } catch (error) {
    if (isNoGroup(error)) return [];
    throw error;
  }
}
