-- Inserts with wrk: each request has a key of its own.
local threads = 0

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(arguments)
    count = 0
    -- So that a later run has other keys than an earlier one.
    run = arguments[1] or "0"
end

function request()
    count = count + 1
    local body = string.format('{"key":"load.%s.%d.%d","value":"%d"}', run, number, count, count)
    return wrk.format("POST", "/config", { ["Content-Type"] = "application/json" }, body)
end
