-- wrk: durable moves. Replays FOLDER/moves in all games of FOLDER/games, one move in each game in
-- turn, so that a game's next move is asked for long after its last was answered.
--   wrk -s moves.lua URL -- FOLDER [minimal]
dofile("tests/bench/report.lua")
done = report

local heads, bodies, game, ply, probed = {}, {}, 0, 1, false

function init(args)
  local prefer = args[2] == "minimal" and "Prefer: return=minimal\r\n" or ""
  for line in io.lines(args[1] .. "/games") do
    local id, red, blue = line:match("(%S+) (%S+) (%S+)")
    local pair = {}
    for i, credential in ipairs({red, blue}) do
      pair[i] = "POST /v1/games/" .. id .. "/moves HTTP/1.1\r\nHost: 127.0.0.1\r\n" ..
        "Content-Type: application/json\r\nAuthorization: Bearer " .. credential .. "\r\n" ..
        prefer .. "Content-Length: "
    end
    heads[#heads + 1] = pair
  end
  for line in io.lines(args[1] .. "/moves") do
    bodies[#bodies + 1] = #line .. "\r\n\r\n" .. line
  end
end

function request()
  -- The first request is made to be looked at and is never sent.
  if not probed then
    probed = true
    return "GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
  end
  game = game + 1
  if game > #heads then
    game, ply = 1, ply + 1
  end
  -- Past the last move all are refused, and run.sh says that there were errors.
  return heads[game][2 - ply % 2] .. (bodies[ply] or bodies[#bodies])
end
