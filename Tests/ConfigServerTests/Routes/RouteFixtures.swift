// SPDX-License-Identifier: Apache-2.0

import ConfigWire

extension WireRoute {
    /// A target of the route in the namespace `default`, of the key, schema or rule `k`.
    var exampleTarget: String {
        path.replacing("{ns}", with: "default").replacing("{key}", with: "k").replacing("{name}", with: "k")
            .replacing("{rule}", with: "k").replacing("{timestamp}", with: "2020-10-17T18:43:19.000Z")
    }

    /// A body that the route accepts; `nil` if it takes none.
    var exampleBody: String? { Self.bodies[name] ?? Self.bodies[method] }

    private static let bodies = [
        "PUT": #"{"value":2}"#, "PATCH": #"{"set":{"k":2}}"#, "POST /config": #"{"key":"new","value":"1"}"#,
        "POST /v1/{ns}/rollback": #"{"to":0}"#, "POST": #"{"context":{}}"#,
        "POST /v1/{ns}/evaluate": #"{"key":"k","contexts":[]}"#,
        "PUT /v1/{ns}/schemas/{name}": #"{"schema":{"maximum":9}}"#,
        "PUT /v1/{ns}/rules/{rule}": #"{"rule":{"variants":{"a":2}}}"#,
    ]
}
