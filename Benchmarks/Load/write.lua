-- Writes with wrk: at /config each request inserts a key of its own, anywhere else it gives one of 1,000 keys a value that it
-- has never had.
local threads = 0

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(arguments)
    count = 0
    -- So that a later run has other keys and values than an earlier one.
    run = arguments[1] or "0"
    math.randomseed(number + 1)
end

function request()
    count = count + 1
    local method, path, body
    if wrk.path == "/config" then
        method, path = "POST", wrk.path
        body = string.format('{"key":"load.%s.%d.%d","value":"%d"}', run, number, count, count)
    else
        method, path = "PUT", "/v1/default/entries/load." .. math.random(1000)
        body = string.format('{"value":"%s.%d.%d"}', run, number, count)
    end
    return wrk.format(method, path, { ["Content-Type"] = "application/json" }, body)
end
