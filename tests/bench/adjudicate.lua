-- wrk: the stateless judge, the opening move of En garde.
--   wrk -s adjudicate.lua URL -- [minimal]
dofile("tests/bench/report.lua")
done = report
wrk.method = "POST"
wrk.path = "/v1/adjudicate"
wrk.body = '{"ruleset":"engarde","state":{"fields":{"left":1,"right":23},"hits":{"left":0,"right":0},' ..
  '"hands":{"left":[1,2,3,4,5],"right":[1,1,2,4,5]},"deck":[5,3,3,1,1,2,2,2,3,3,4,4,4,5,5],' ..
  '"turn":"left","exchange":null,"round":1,"starter":"left"},"move":{"type":"advance","card":3}}'
wrk.headers["Content-Type"] = "application/json"

function init(args)
  if args[1] == "minimal" then
    wrk.headers["Prefer"] = "return=minimal"
  end
  wrk.path = "/v1/adjudicate"
  ready = wrk.format()
end

function request()
  return ready
end
