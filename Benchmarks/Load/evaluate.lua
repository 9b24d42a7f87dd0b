-- Asks for flags by OpenFeature's protocol with wrk, each time for another user; the argument is what stands after the
-- address of all flags.
local threads = 0

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(arguments)
    count = 0
    path = "/ofrep/v1/evaluate/flags" .. (arguments[1] or "")
    fields = { ["Content-Type"] = "application/json" }
end

function request()
    count = count + 1
    local user = string.format("user-%d-%d", number, count)
    local body = '{"context":{"targetingKey":"' .. user .. '","email":"ana@example.org","region":"ES","version":"2.4.1"}}'
    return wrk.format("POST", path, fields, body)
end
