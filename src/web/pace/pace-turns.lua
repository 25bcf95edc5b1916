-- Reads the clocks of the exits of many hosts for turnsOf in clock.ts, and changes nothing. KEYS: of every host its exits in use. ARGV: after
-- which time without an offer an exit is out of use. Returns the time, then for every host of every exit: next, until, latency, gap, places taken.
local unused = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local answer = { { tostring(now) } }
for i, key in ipairs(KEYS) do
  local host, base = {}, string.sub(key, 1, -6)
  local latest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
  local names = latest[1] and redis.call('ZRANGEBYSCORE', key, '(' .. (tonumber(latest[2]) - unused), '+inf') or {}
  for _, name in ipairs(names) do
    local clock = redis.call('HMGET', base .. name .. ':clock', 'next', 'until', 'latency', 'gap')
    for field = 1, 4 do host[#host + 1] = clock[field] or '0' end
    host[#host + 1] = tostring(redis.call('ZCOUNT', base .. name .. ':places', '(' .. now, '+inf'))
  end
  answer[i + 1] = host
end
return answer
