-- What wrk sends to a path: updates of one ticker, or LINES updates of as many tickers in each request; a GET where LINES
-- is 0. No update has the end that the one before had. Where a path has a %d, updates go to a thousand tickers in turn.
--   wrk -s post.lua URL -- PATH LINES
local path, lines, round = "", 1, 0

function init(arguments)
  path, lines = arguments[1], tonumber(arguments[2])
  if lines > 0 then
    -- Beside what wrk's -H says.
    wrk.headers["Content-Type"] = lines > 1 and "application/x-ndjson" or "application/json"
  end
end

function request()
  if lines == 0 then
    return wrk.format("GET", path)
  end
  round = round + 1
  local body = {}
  for line = 1, lines do
    local ticker = lines > 1 and string.format('"ticker":"t%d",', line) or ""
    body[line] = string.format('{%s"to":%d,"duration":0.5}', ticker, round % 1000)
  end
  -- 7919 is prime: neighbours in time are none in name.
  return wrk.format("POST", string.format(path, round * 7919 % 1000), nil, table.concat(body, "\n"))
end
