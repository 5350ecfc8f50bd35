-- One line a run, for run.sh: requests a second, latencies in microseconds, errors.
function report(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT rps=%.0f p50=%d p99=%d errors=%d requests=%d\n",
    summary.requests * 1e6 / summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout, summary.requests))
end
