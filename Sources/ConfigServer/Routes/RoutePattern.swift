// SPDX-License-Identifier: Apache-2.0

internal import ConfigWire
internal import NIOHTTP1

/// The path of a route as requests are matched against it.
final class RoutePattern: Sendable {
    private struct Segment {
        /// The name of the parameter that it is, as `ns` of `{ns}` and `{ns}.json`; `nil` for a literal.
        let parameter: String?
        /// The literal, or the end of the parameter's text, such as `.json`.
        let text: String

        init(_ template: Substring) {
            let name: Substring? = template.hasPrefix("{") ? template.dropFirst().prefix(while: { $0 != "}" }) : nil
            parameter = name.map { String($0) }
            text = String(name.map { template[$0.endIndex...].dropFirst() } ?? template)
        }
    }

    /// The values of a path's parameters by the names in the route's path, still encoded.
    typealias Parameters = [String: Substring]

    let route: Route
    let name: String
    private let segments: [Segment]

    private init(_ route: Route) {
        self.route = route
        name = route.declaration.name
        segments = RequestTarget.segments(of: route.declaration.path).map { Segment($0) }
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
            let expected = segment.text.utf8
            guard let name = segment.parameter else {
                guard text.utf8.elementsEqual(expected) else { return nil }
                continue
            }
            guard text.utf8.suffix(expected.count).elementsEqual(expected) else { return nil }
            parameters[name] = Substring(text.utf8.dropLast(expected.count))
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
