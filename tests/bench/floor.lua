-- wrk: the request of the floors, a POST of 120 bytes.
dofile("tests/bench/report.lua")
wrk.method = "POST"
wrk.body = '{"game":"7f3a9c0e","player":"white","ply":16,"move":"advance-3",' ..
  '"key":"0123456789abcdef0123456789abcdef01234567","v":11}'
wrk.headers["Content-Type"] = "application/json"
done = report
