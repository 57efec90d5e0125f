-- wrk: POST bodies of which no two are alike; prints one line of JSON at the end.
local threads = 0

function setup(thread)
	thread:set("id", threads)
	threads = threads + 1
end

function init(args)
	counter = 0
	wrk.method = "POST"
	wrk.headers["content-type"] = "application/json"
	wrk.headers["authorization"] = "Bearer " .. args[1]
	run = args[2]
	priority = args[3] and string.format(',"priority":"%s"', args[3]) or ""
end

function request()
	counter = counter + 1
	local to = string.format("+3361%03d%04d", counter % 1000, 1000 + counter % 9000)
	local body = string.format(
		'{"to":"%s","message":"Your code is %06d","clientReference":"%s-%d-%d"%s}',
		to, counter % 1000000, run, id, counter, priority)
	return wrk.format(nil, nil, nil, body)
end

function done(summary, latency, requests)
	local e = summary.errors
	io.write(string.format(
		'\n{"requests":%d,"durationUs":%d,"p99Us":%d,"failures":%d}\n',
		summary.requests, summary.duration, latency:percentile(99),
		e.status + e.connect + e.read + e.write + e.timeout))
end
