-- Sends the addresses of a file one after the other, each as often as the file is long enough not to repeat it.
local requests = {}

function init()
  for path in io.lines(os.getenv("QUESTIONS")) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end

local at = 0

function request()
  at = at % #requests + 1
  return requests[at]
end
