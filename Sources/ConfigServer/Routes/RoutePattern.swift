// SPDX-License-Identifier: Apache-2.0

internal import ConfigWire
internal import NIOHTTP1

/// The path of a route as requests are matched against it.
final class RoutePattern: Sendable {
    enum Segment: Equatable {
        case literal(String)
        /// Any text that ends with the suffix: `{ns}` or `{ns}.json`.
        case parameter(String, suffix: String)

        init(_ template: Substring) {
            guard template.hasPrefix("{") else {
                self = .literal(String(template))
                return
            }
            let name = template.dropFirst().prefix { $0 != "}" }
            self = .parameter(String(name), suffix: String(template[name.endIndex...].dropFirst()))
        }

        static func all(of path: String) -> [Segment] { RequestTarget.segments(of: path).map(Segment.init) }

        var parameter: String? { if case .parameter(let name, _) = self { name } else { nil } }
    }

    /// The values of a path's parameters, still encoded.
    struct Parameters {
        fileprivate var values: [(name: String, value: Substring)] = []

        func get(_ name: String) -> Substring? { values.first { $0.name == name }?.value }
    }

    let route: Route
    let name: String
    private let segments: [Segment]

    private init(_ route: Route) {
        self.route = route
        name = route.declaration.name
        segments = Segment.all(of: route.declaration.path)
    }

    /// All routes by their methods. A path in full precedes one with parameters.
    private static let all = Dictionary(
        grouping: Route.all.map(RoutePattern.init).sorted { $0.parameterCount < $1.parameterCount },
        by: \.route.declaration.method
    )

    private var parameterCount: Int { segments.count { $0.parameter != nil } }

    /// The route of a request and the parameters of its path; `nil` if there is none.
    static func find(_ method: HTTPMethod, _ target: RequestTarget) -> (pattern: RoutePattern, Parameters)? {
        let path = target.segments
        for pattern in all[method == .HEAD ? "GET" : method.rawValue] ?? [] {
            if let parameters = pattern.match(path) { return (pattern, parameters) }
        }
        return nil
    }

    private func match(_ path: [Substring]) -> Parameters? {
        guard path.count == segments.count else { return nil }
        var parameters = Parameters()
        // By bytes: texts that only look the same are different paths.
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .literal(let literal):
                guard text.utf8.elementsEqual(literal.utf8) else { return nil }
            case .parameter(let name, let suffix):
                guard text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { return nil }
                parameters.values.append((name, Substring(text.utf8.dropLast(suffix.utf8.count))))
            }
        }
        return parameters
    }

    /// The methods of all routes at a path, sorted; none if there is no such path.
    static func methods(for path: Substring) -> [String] {
        let segments = RequestTarget.segments(of: path)
        let methods = all.filter { $0.value.contains { $0.match(segments) != nil } }.map(\.key)
        return (methods.contains("GET") ? methods + ["HEAD"] : methods).sorted()
    }
}
