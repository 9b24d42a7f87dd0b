-- SPDX-License-Identifier: Apache-2.0
-- Requests of wrk, each of another user: wrk -t1 -c32 -d10 -s users.lua http://127.0.0.1:8081
local user = 0
request = function()
    user = user + 1
    return wrk.format("GET", "/offer?user=user-" .. user, {["Accept-Language"] = user % 2 == 0 and "es" or "en"})
end
