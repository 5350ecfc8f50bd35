-- wrk: games of En garde made and both seats taken; three requests a game.
dofile("tests/bench/report.lua")
done = report

local waiting, probed = {}, false
local head = " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
local create = "POST /v1/games" .. head .. 'Content-Length: 21\r\n\r\n{"ruleset":"engarde"}'

function request()
  if not probed then
    probed = true
    return create
  end
  return table.remove(waiting) or create
end

function response(status, headers, body)
  local id = body:match('"id":"([^"]+)"')
  if status ~= 201 or not id then
    return
  end
  for seat, invite in body:gmatch('"(%l+)":{"invite":"(rfs_[^"]+)"') do
    waiting[#waiting + 1] = "POST /v1/games/" .. id .. "/seats/" .. seat .. head ..
      "Authorization: Bearer " .. invite .. "\r\nContent-Length: 2\r\n\r\n{}"
  end
end
