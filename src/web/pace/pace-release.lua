-- Releases a slot, moves the clocks by the outcome, and wakes the process that has waited longest.
-- Says the same as `record` in clock.ts. KEYS: clock hash, places in flight, processes in line.
-- ARGV: token, startedAt, kind, latencyMs, retryAfterMs, random, message, wake channel prefix, first and most backoff, jitter, smoothing, drift.
local token, started, kind = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local latency, retry_after, random = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local first_ms, most_ms, jitter = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local smoothing, drift = tonumber(ARGV[12]), tonumber(ARGV[13])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREM', KEYS[2], token)
local clock = redis.call('HMGET', KEYS[1], 'until', 'since', 'level', 'latency', 'best')
local backoff, since, level = tonumber(clock[1] or 0), tonumber(clock[2] or 0), tonumber(clock[3] or 0)
local smooth, best = tonumber(clock[4] or 0), tonumber(clock[5] or 0)

if kind == 'throttled' then
  if started > since then
    level = level + 1
    local doubled = math.min(most_ms, first_ms * 2 ^ (level - 1)) * (1 + jitter * random)
    backoff = now + math.max(retry_after, doubled)
    redis.call('HSET', KEYS[1], 'level', level, 'since', now, 'until', backoff)
  else
    backoff = math.max(backoff, now + retry_after)
    redis.call('HSET', KEYS[1], 'until', backoff)
  end
elseif kind == 'ok' or latency > smooth then
  if kind == 'ok' and started > since then redis.call('HSET', KEYS[1], 'level', 0) end
  smooth = smooth == 0 and latency or smooth + smoothing * (latency - smooth)
  best = best == 0 and smooth or math.min(smooth, best * drift)
  redis.call('HSET', KEYS[1], 'latency', smooth, 'best', best)
end
-- PEXPIRE takes whole numbers only.
redis.call('PEXPIRE', KEYS[1], math.ceil(math.max(600000, backoff - now + 600000)))
local waiting = redis.call('ZPOPMIN', KEYS[3])
if waiting[1] then redis.call('PUBLISH', ARGV[8] .. waiting[1], ARGV[7]) end
return 1
