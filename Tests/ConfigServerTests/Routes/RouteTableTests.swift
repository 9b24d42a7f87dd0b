// SPDX-License-Identifier: Apache-2.0

import ConfigWire
import Testing

@testable import ConfigServer

struct RouteTableTests {
    @Test func everyDeclarationHasItsHandler() {
        #expect(Route.all.map(\.declaration.name) == WireRoute.all.map(\.name))
    }

    @Test(arguments: [
        ("/v1/default/config", ["GET", "HEAD"]), ("/v1/default/entries/a", ["DELETE", "GET", "HEAD", "PUT"]),
        ("/v1/default/rollback", ["POST"]), ("/config", ["GET", "HEAD", "POST"]), ("/default.json", ["GET", "HEAD"]),
        ("/nothing/here", []),
    ])
    func pathsListTheirMethods(path: String, methods: [String]) {
        #expect(RoutePattern.methods(for: path[...]) == methods)
    }
}
