-- Writes with wrk: each request gives one of 1,000 keys a value that it has never had.
local threads = 0

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(arguments)
    count = 0
    -- So that a later run does not write what an earlier one has.
    run = arguments[1] or "0"
    math.randomseed(number + 1)
end

function request()
    count = count + 1
    local path = "/v1/default/entries/load." .. math.random(1000)
    local body = string.format('{"value":"%s.%d.%d"}', run, number, count)
    return wrk.format("PUT", path, { ["Content-Type"] = "application/json" }, body)
end
