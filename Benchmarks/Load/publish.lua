-- Publishes with wrk: each request gives 100 keys a value that they have never had, in one revision.
local threads = 0

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(arguments)
    count = 0
    -- So that a later run has other values than an earlier one.
    run = arguments[1] or "0"
end

function request()
    count = count + 1
    local members = {}
    for key = 1, 100 do
        members[key] = string.format('"app.part%d.key%d":"%s.%d.%d"', key % 10, key, run, number, count)
    end
    local body = '{"set":{' .. table.concat(members, ",") .. "}}"
    return wrk.format("PATCH", "/v1/default/entries", { ["Content-Type"] = "application/json" }, body)
end
