internal import HTTPTypes

/// One operation of the interface: everything about it but the code that answers. The router, the check of access, the
/// list of allowed methods and the OpenAPI description come from here.
struct Route: Sendable {
    /// A parameter beside those of the path, by the name of its description in ``OpenAPISchemas``.
    enum Parameter: String, Sendable {
        case after, before, epoch, historyKey, ifMatch, ifNoneMatch, lastEventID, limit
    }

    /// An answer of success.
    struct Answer: Sendable {
        let status: Int
        /// The schema of the body; `nil` without one.
        let schema: String?

        static func ok(_ schema: String) -> Answer { Answer(status: 200, schema: schema) }
        static func created(_ schema: String) -> Answer { Answer(status: 201, schema: schema) }
        static let noContent = Answer(status: 204, schema: nil)
        static let notModified = Answer(status: 304, schema: nil)
    }

    let method: HTTPRequest.Method
    /// The path with its parameters: `/v1/{ns}/entries/{key}`.
    let path: String
    /// The access that a request needs.
    let access: Access
    /// What it does, in a few words.
    let summary: String
    var parameters: [Parameter] = []
    /// The schema of the body as JSON; `nil` without a body.
    var body: String?
    /// The schema of the body as a form; `nil` if it cannot be one.
    var form: String?
    let answers: [Answer]
    /// The media type of a successful answer.
    var mediaType = "application/json"
    /// The statuses of problems beside those that follow from the rest.
    var problems: [Int] = []
}

extension Route {
    /// The name in the metrics and in the documentation: `GET /v1/{ns}/config`.
    var name: String { "\(verb) \(path)" }

    /// The method as it is in a request.
    var verb: String { method.rawValue }

    /// Whether it only reads. Reads answer `HEAD` as well.
    var isRead: Bool { method == .get }

    /// The media types that a body may have; none without a body.
    var bodyTypes: [MediaTypeName] {
        [body.map { _ in .json }, form.map { _ in .form }].compactMap(\.self)
    }

    /// Whether a write honours `If-Match` and `If-None-Match`; otherwise they are refused. Reads always honour them.
    var honoursConditions: Bool { parameters.contains(.ifMatch) }

    /// The names of the path's parameters.
    var pathParameters: [String] {
        path.split(separator: "/").compactMap { segment in
            guard segment.hasPrefix("{") else { return nil }
            return String(segment.dropFirst().prefix { $0 != "}" })
        }
    }

    /// All statuses of problems.
    var allProblems: [Int] {
        let access = access == .open ? [] : [401, 403, 429, 503]
        let content = body == nil ? [] : [413, 415, 507]
        // 412 comes from conditions on an answer.
        let conditions = isRead ? [412] : []
        // 403 and 421 come from the origin and the host that a browser names.
        return Set(problems + access + content + conditions + [400, 403, 408, 414, 421, 431]).sorted()
    }

    private func matches(_ segments: [Substring]) -> Bool {
        let templates = RequestTarget.segments(of: path)
        return templates.count == segments.count
            && zip(templates, segments).allSatisfy { template, segment in
                guard template.hasPrefix("{") else { return template == segment }
                return template.hasSuffix("}") || segment.hasSuffix(template.drop { $0 != "}" }.dropFirst())
            }
    }

    /// The methods of all routes at a path, sorted; none if there is no such path.
    static func methods(for path: Substring) -> [String] {
        let segments = RequestTarget.segments(of: path)
        let methods = all.filter { $0.matches(segments) }.map(\.verb)
        return Set(methods.contains("GET") ? methods + ["HEAD"] : methods).sorted()
    }
}
