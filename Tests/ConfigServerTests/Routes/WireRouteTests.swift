// SPDX-License-Identifier: Apache-2.0

import ConfigWire
import Foundation
import Testing

@testable import ConfigServer

/// The table of the routes against the documentation.
struct WireRouteTests {
    @Test func noTwoRoutesAreTheSame() {
        #expect(Set(Route.declarations.map(\.name)).count == Route.declarations.count)
    }

    private static func row(_ route: WireRoute) -> String {
        let access =
            switch route.access {
            case .open: "nothing"
            case .anyToken: "any token"
            case .namespace(let role): "`\(role.rawValue)`"
            }
        return "| `\(route.name)` | \(access) | \(route.summary) |"
    }

    /// The rows of a page of the project that are about routes.
    private static func rows(of page: String) throws -> [String] {
        let file = URL(filePath: #filePath).appending(path: "../../../../\(page)").standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(/^\| `[A-Z]+ \//) }.map(String.init)
    }

    @Test func theDocumentationListsTheRoutes() throws {
        #expect(try Self.rows(of: "Documentation/Server.md") == Route.declarations.map(Self.row))
    }

    @Test func theArticleNamesRoutesAsTheyAre() throws {
        let rows = try Self.rows(of: "Sources/ConfigServer/ConfigServer.docc/TheServer.md")
        #expect(rows.count >= 10 && Set(rows).isSubset(of: Route.declarations.map(Self.row)))
    }

    /// The routes that need no token, and those for reviewers and administrators: listed here apart from the table.
    @Test func openRoutesAreFewAndSomeNeedHigherRoles() {
        func names(_ access: Access) -> Set<String> {
            Set(Route.declarations.filter { $0.access == access }.map(\.name))
        }
        #expect(names(.open) == ["GET /", "GET /health", "GET /ready", "GET /openapi.json"])
        #expect(names(.anyToken) == ["GET /v1", "GET /metrics"])
        #expect(names(.namespace(.admin)) == ["POST /v1/{ns}/rollback", "PUT /v1/{ns}/policy"])
        let review = "/v1/{ns}/drafts/{id}"
        #expect(names(.namespace(.approve)) == ["POST \(review)/reviews", "POST \(review)/apply"])
        let readable = Route.declarations.filter { $0.access == .namespace(.read) }
        #expect(readable.allSatisfy { $0.isRead })
        #expect(Route.declarations.filter { $0.access == .namespace(.write) }.allSatisfy { !$0.isRead })
    }

    @Test(arguments: [
        ("/v1/default/config", ["GET", "HEAD"]), ("/v1/default/entries/a", ["DELETE", "GET", "HEAD", "PUT"]),
        ("/v1/default/rollback", ["POST"]), ("/config", ["GET", "HEAD", "POST"]), ("/default.json", ["GET", "HEAD"]),
        ("/nothing/here", []),
    ])
    func pathsListTheirMethods(path: String, methods: [String]) {
        #expect(RoutePattern.methods(for: path[...]) == methods)
    }

    @Test func pathsTakeTheirParametersInOrder() {
        #expect(WireRoute.entry.path("shop", "app.color") == "/v1/shop/entries/app.color")
        #expect(WireRoute.document.path("shop") == "/shop.json")
        #expect(WireRoute.namespaceFlag.path("shop", "k") == "/ns/shop/ofrep/v1/evaluate/flags/k")
        #expect(WireRoute.server.path() == "/v1")
    }
}

struct OpenAPITests {
    private func document() throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(OpenAPIDocument(of: Route.declarations).json)) as? [String: Any]
        )
    }

    @Test func theDescriptionListsTheRoutes() throws {
        let paths = try #require(try document()["paths"] as? [String: [String: Any]])
        let described = Set(paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })
        #expect(described == Set(Route.declarations.map(\.name)))
    }

    @Test func everyReferenceResolves() throws {
        let document = try document()
        let text = String(decoding: OpenAPIDocument(of: Route.declarations).json, as: UTF8.self)
        for match in text.matches(of: /"#\/([A-Za-z\/]+)"/) {
            var found: Any? = document
            for name in match.1.split(separator: "/") { found = (found as? [String: Any])?[String(name)] }
            #expect(found != nil, "\(match.1)")
        }
    }

    @Test func protectedRoutesDeclareTheirSecurity() throws {
        let paths = try #require(try document()["paths"] as? [String: [String: [String: Any]]])
        for route in Route.declarations {
            let operation = paths[route.path]?[route.method.lowercased()]
            #expect((operation?["security"] as? [Any])?.isEmpty == (route.access == .open), "\(route.name)")
            guard case .namespace(let role) = route.access else { continue }
            let description = operation?["description"] as? String
            #expect(description?.contains("the role \(role.rawValue)") == true, "\(route.name)")
        }
    }
}
