-- One reservation: a place at the exit whose turn comes first, a refusal with the time to come back, or "all taken" (then the caller's process is
-- put in the line of every exit that would do, and woken). Says the same as clock.ts. KEYS: exits in use, then of every exit its clock hash,
-- places in flight, processes in line.
-- ARGV: concurrency, gapMs, maxWaitMs, token, leaseMs, process, queued before it, throttle floor, slow factor, "renew", "take" or "private"
-- (other tasks cannot use the exit), when it was sent by the clock of Redis (0: unknown), after which time it is too late, 1 if it was sent before, then the
-- names of the exits. Returns: 0 refused, 1 a place, 2 all taken, 3 too late; ms to wait; start; index of the exit; the time.
local concurrency, gap, max_wait = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local token, lease, process, queued = ARGV[4], tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local floor_ms, slow_factor, how = tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10]
local sent, late, again = tonumber(ARGV[11]), tonumber(ARGV[12]), ARGV[13] == '1'
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if sent > 0 and math.abs(now - sent) > late then return { 3, 0, 0, 0, now } end
local count = (#KEYS - 1) / 3
local waiting = math.ceil((queued + 1) / count)
local exits, best, full = {}, nil, {}
for i = 1, count do
  local at = 3 * i - 1
  local clock = redis.call('HMGET', KEYS[at], 'next', 'until', 'latency', 'best', 'promised')
  local exit = { index = i - 1, clock = KEYS[at], places = KEYS[at + 1], line = KEYS[at + 2] }
  exit.backoff, exit.latency = tonumber(clock[2] or 0), tonumber(clock[3] or 0)
  exit.fastest, exit.promised = tonumber(clock[4] or 0), tonumber(clock[5] or 0)
  exit.start = math.max(now, tonumber(clock[1] or 0), exit.backoff)
  exits[i] = exit
end

-- PEXPIRE takes whole numbers only.
local function keep(exit)
  local for_ms = math.ceil(math.max(lease, exit.start - now + lease, 600000))
  for _, key in ipairs({ KEYS[1], exit.clock, exit.places, exit.line }) do redis.call('PEXPIRE', key, for_ms) end
end
local function refuse(field)
  local first, first_at
  for _, exit in ipairs(exits) do
    local at = math.min(math.max(exit.promised, exit[field]), now + 600000)
    if not first or at < first_at then first, first_at = exit, at end
  end
  redis.call('HSET', first.clock, 'promised', first_at + math.max(gap, 20))
  keep(first)
  return { 0, math.ceil(first_at - now), 0, first.index, now }
end

if how == 'renew' then
  best = exits[1]
  if best.backoff <= now then return { 1, 0, 0, 0, now } end
else
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 600000)
  -- The answer was lost, the place was not.
  for _, exit in ipairs(again and exits or {}) do
    local over = redis.call('ZSCORE', exit.places, token)
    if over then
      local start = math.floor(tonumber(over) - lease)
      return { 1, math.max(0, start - now), start, exit.index, now }
    end
  end
  for i, exit in ipairs(exits) do
    if how == 'take' then redis.call('ZADD', KEYS[1], now, ARGV[13 + i]) end
    redis.call('ZREMRANGEBYSCORE', exit.places, '-inf', now)
    if redis.call('ZCARD', exit.places) >= concurrency then full[#full + 1] = exit
    elseif not best or exit.start < best.start then best = exit end
  end
  if not best or best.start - now > max_wait then
    if #full == 0 then return refuse('start') end
    local soonest
    for _, exit in ipairs(exits) do
      exit.expected = math.max(now + exit.latency * waiting / concurrency, exit.start + gap * (waiting - 1))
      if not soonest or exit.expected < soonest then soonest = exit.expected end
    end
    if soonest - now > max_wait then return refuse('expected') end
    local lease_over
    for _, exit in ipairs(full) do
      redis.call('ZADD', exit.line, 'NX', now, process)
      local first = redis.call('ZRANGE', exit.places, 0, 0, 'WITHSCORES')
      lease_over = math.min(lease_over or tonumber(first[2]), tonumber(first[2]))
      keep(exit)
    end
    return { 2, math.max(1, math.ceil(lease_over - now)), 0, 0, now }
  end
end

local usual, slow_gap = slow_factor * math.max(best.fastest, floor_ms), 0
if best.latency > usual then slow_gap = best.latency / math.max(1, concurrency * usual / best.latency) end
local wait = math.max(gap, slow_gap)
redis.call('HSET', best.clock, 'next', best.start + wait, 'gap', wait)
redis.call('ZADD', best.places, best.start + lease, token)
keep(best)
return { 1, math.ceil(best.start - now), math.floor(best.start), best.index, now }
