import Foundation
import Testing

@testable import ConfigServer

struct OpenAPITests {
    private func document() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.json)) as? [String: Any])
    }

    @Test func `the description has the routes that there are, and no others`() throws {
        let paths = try #require(try document()["paths"] as? [String: [String: Any]])
        let described = Set(paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })
        #expect(described == Set(Route.all.map(\.name)))
    }

    @Test func `each reference leads somewhere`() throws {
        let document = try document()
        let text = String(decoding: OpenAPIDocument.json, as: UTF8.self)
        for match in text.matches(of: /"#\/([A-Za-z\/]+)"/) {
            var found: Any? = document
            for name in match.1.split(separator: "/") { found = (found as? [String: Any])?[String(name)] }
            #expect(found != nil, "\(match.1)")
        }
    }

    @Test func `routes that need a token say so`() throws {
        let paths = try #require(try document()["paths"] as? [String: [String: [String: Any]]])
        for route in Route.all {
            let operation = paths[route.path]?[route.verb.lowercased()]
            #expect((operation?["security"] as? [Any])?.isEmpty == (route.access == .open), "\(route.name)")
            guard case .namespace(let role) = route.access else { continue }
            let description = operation?["description"] as? String
            #expect(description?.contains("the role \(role.rawValue)") == true, "\(route.name)")
        }
    }
}
