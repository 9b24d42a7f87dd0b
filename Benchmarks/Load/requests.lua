-- SPDX-License-Identifier: Apache-2.0
-- The requests of wrk's load. The first argument names their kind, the second is for the kind.
local threads = 0
local json = { ["Content-Type"] = "application/json" }
local kinds = {}

-- Flags by OpenFeature's protocol, each time for another user; the argument is the path.
function kinds.evaluate()
    local user = string.format("user-%d-%d", number, count)
    local body = '{"context":{"targetingKey":"' .. user .. '","email":"ana@example.org","region":"ES","version":"2.4.1"}}'
    return "POST", argument, body
end

-- Publishes: each gives 100 keys a new value, in one revision. The argument keeps the values of runs apart.
function kinds.publish()
    local members = {}
    for key = 1, 100 do
        members[key] = string.format('"app.part%d.key%d":"%s.%d.%d"', key % 10, key, argument, number, count)
    end
    return "PATCH", "/v1/default/entries", '{"set":{' .. table.concat(members, ",") .. "}}"
end

-- Writes: at /config each inserts a new key, anywhere else it gives one of 1,000 keys a new value. The argument keeps the keys
-- and values of runs apart.
function kinds.write()
    if wrk.path == "/config" then
        local body = string.format('{"key":"load.%s.%d.%d","value":"%d"}', argument, number, count, count)
        return "POST", wrk.path, body
    end
    local path = "/v1/default/entries/load." .. math.random(1000)
    return "PUT", path, string.format('{"value":"%s.%d.%d"}', argument, number, count)
end

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(arguments)
    count = 0
    kind = kinds[arguments[1]]
    argument = arguments[2] or ""
    math.randomseed(number + 1)
end

function request()
    count = count + 1
    local method, path, body = kind()
    return wrk.format(method, path, json, body)
end
