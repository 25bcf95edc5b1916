-- Renews the leases of places that a process holds; one that had run out meanwhile is taken again, since the request is still under way.
-- KEYS: places in flight, one for each token. ARGV: leaseMs, tokens.
local lease = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
for i, places in ipairs(KEYS) do
  local over = redis.call('ZSCORE', places, ARGV[i + 1])
  if not over or tonumber(over) < now + lease then redis.call('ZADD', places, now + lease, ARGV[i + 1]) end
  redis.call('PEXPIRE', places, 600000)
end
return #KEYS
