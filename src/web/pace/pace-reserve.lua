-- One reservation: a place, a refusal with the time to come back, or "all taken" (then the caller's process is put in line and woken).
-- Says the same as pace-clock.ts. KEYS: clock hash, places in flight, processes in line.
-- ARGV: concurrency, gapMs, maxWaitMs, token, leaseMs, process, queued before it, throttle floor, slow factor, "renew" or "take".
local concurrency, gap, max_wait = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local token, lease, process, queued = ARGV[4], tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local floor_ms, slow_factor, renew = tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10] == 'renew'
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local clock = redis.call('HMGET', KEYS[1], 'next', 'until', 'latency', 'best', 'promised')
local next_at, backoff = tonumber(clock[1] or 0), tonumber(clock[2] or 0)
local latency, best, promised = tonumber(clock[3] or 0), tonumber(clock[4] or 0), tonumber(clock[5] or 0)
local start = math.max(now, next_at, backoff)

local function keep()
  local until_ms = math.max(lease, start - now + lease, 600000)
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, until_ms) end
end
local function refuse(earliest)
  promised = math.min(math.max(promised, earliest), now + 600000)
  redis.call('HSET', KEYS[1], 'promised', promised + math.max(gap, 20))
  keep()
  return { 0, math.ceil(promised - now), 0 }
end

if renew then
  if backoff <= now then return { 1, 0, 0 } end
else
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  if redis.call('ZCARD', KEYS[2]) >= concurrency then
    local expected = latency * (queued + 1) / concurrency
    if expected > max_wait then return refuse(now + expected) end
    redis.call('ZADD', KEYS[3], 'NX', now, process)
    local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
    keep()
    return { 2, math.max(1, math.ceil(tonumber(first[2]) - now)), 0 }
  end
  if start - now > max_wait then return refuse(start) end
end

local usual, slow_gap = slow_factor * math.max(best, floor_ms), 0
if latency > usual then slow_gap = latency / math.max(1, concurrency * usual / latency) end
redis.call('HSET', KEYS[1], 'next', start + math.max(gap, slow_gap))
redis.call('ZADD', KEYS[2], start + lease, token)
keep()
return { 1, math.ceil(start - now), math.floor(start) }
