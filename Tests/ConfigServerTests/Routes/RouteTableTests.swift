import ConfigStoreTesting
import Foundation
import Logging
import Testing

@testable import ConfigServer

/// The table of the routes against the code that answers them, and against the documentation.
struct RouteTableTests {
    @Test func `each route has one handler, and each handler a route`() throws {
        let logger = Logger(label: "test")
        let hub = ConfigHub(store: ReferenceStore(), logger: logger)
        let application = try ServerApplication(hub: hub, policy: AccessPolicy(tokens: nil), logger: logger)
        let handled = application.handledRoutes.map(\.name)
        #expect(handled.sorted() == Route.all.map(\.name).sorted())
        #expect(Set(handled).count == handled.count)
    }

    private static func row(_ route: Route) -> String {
        let access =
            switch route.access {
            case .open: "nothing"
            case .anyToken: "any token"
            case .namespace(let role): "`\(role.rawValue)`"
            }
        return "| `\(route.name)` | \(access) | \(route.summary) |"
    }

    @Test func `the documentation lists the routes, what they need and what they do`() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../Documentation/Server.md").standardized
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(/^\| `[A-Z]+ \//) }.map(String.init)
        #expect(rows == Route.all.map(Self.row))
    }

    /// What may be done without a token, and by whom the most may be done: written down apart from the table.
    @Test func `little is open, and what undoes the work of others needs the role admin`() {
        func names(_ access: Access) -> Set<String> { Set(Route.all.filter { $0.access == access }.map(\.name)) }
        #expect(names(.open) == ["GET /", "GET /health", "GET /ready", "GET /openapi.json"])
        #expect(names(.anyToken) == ["GET /v1", "GET /metrics"])
        #expect(names(.namespace(.admin)) == ["POST /v1/{ns}/rollback"])
        let readable = Route.all.filter { $0.access == .namespace(.read) }
        #expect(readable.allSatisfy { $0.isRead })
        #expect(Route.all.filter { $0.access == .namespace(.write) }.allSatisfy { !$0.isRead })
    }

    @Test(arguments: [
        ("/v1/default/config", ["GET", "HEAD"]), ("/v1/default/entries/a", ["DELETE", "GET", "HEAD", "PUT"]),
        ("/v1/default/rollback", ["POST"]), ("/config", ["GET", "HEAD", "POST"]), ("/default.json", ["GET", "HEAD"]),
        ("/nothing/here", []),
    ])
    func `a path has the methods of its routes`(path: String, methods: [String]) {
        #expect(Route.methods(for: path[...]) == methods)
    }
}
