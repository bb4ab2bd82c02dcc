-- What wrk posts to a path: updates of one ticker, or LINES updates of as many tickers in each request. No update has
-- the end that the one before had.   wrk -s post.lua URL -- PATH LINES
local path, lines, round = "", 1, 0

function init(arguments)
  path, lines = arguments[1], tonumber(arguments[2])
end

function request()
  round = round + 1
  local body = {}
  for line = 1, lines do
    local ticker = lines > 1 and string.format('"ticker":"t%d",', line) or ""
    body[line] = string.format('{%s"to":%d,"duration":0.5}', ticker, round % 1000)
  end
  local kind = lines > 1 and "application/x-ndjson" or "application/json"
  return wrk.format("POST", path, {["Content-Type"] = kind}, table.concat(body, "\n"))
end
