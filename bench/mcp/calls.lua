-- Sends the bodies of a file one after the other, and starts over at its end.
local requests = {}

function init()
  for body in io.lines(os.getenv("QUERIES")) do
    requests[#requests + 1] = wrk.format("POST", nil, nil, body)
  end
end

local at = 0

function request()
  at = at % #requests + 1
  return requests[at]
end
