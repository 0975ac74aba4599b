-- Sends a request for each line of a file, and starts over at its end. A line is the path of a GET or the body of a POST.
local requests = {}

function init()
  local method = os.getenv("METHOD")
  for line in io.lines(os.getenv("LINES_FILE")) do
    requests[#requests + 1] = method == "GET" and wrk.format(method, line) or wrk.format(method, nil, nil, line)
  end
end

local at = 0

function request()
  at = at % #requests + 1
  return requests[at]
end
