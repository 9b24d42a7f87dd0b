// SPDX-License-Identifier: Apache-2.0

internal import NIOHTTP1

/// One operation of the interface. Its pattern, the check of access, the list of allowed methods and the OpenAPI description
/// come from here.
struct Route: Sendable {
    /// A parameter beside those of the path, by the name of its description in ``OpenAPISchemas``.
    enum Parameter: String, Sendable {
        case after, at, before, epoch, flagConfigEtag, flagConfigLastModified, historyKey, historyRule, historySchema,
            ifMatch,
            ifNoneMatch, lastEventID, limit, namespaceField, schemas, streamToken
    }

    /// The statuses of success, and the schemas of their bodies; `nil` without a body.
    typealias Answers = KeyValuePairs<Int, String?>

    typealias Handler = @Sendable (ServerServices, Request, RouteContext) async throws -> Reply

    let method: HTTPMethod
    /// The path with its parameters: `/v1/{ns}/entries/{key}`.
    let path: String
    /// The access that a request needs.
    let access: Access
    /// The code that answers.
    let handler: Handler
    /// What it does, in a few words.
    private(set) var summary = ""
    private(set) var parameters: [Parameter] = []
    /// The schema of the body as JSON; `nil` without a body.
    private(set) var body: String?
    /// The schema of the body as a form; `nil` if it cannot be one.
    private(set) var form: String?
    private(set) var answers: Answers = [:]
    /// The media type of a successful answer.
    private(set) var mediaType = "application/json"
    /// Whether it is a `POST` that changes nothing.
    private(set) var isEvaluation = false
    /// Whether a request may leave out the body.
    private(set) var mayOmitBody = false
    /// The name of the answer to what goes wrong with the question itself (400 and 404), in ``OpenAPISchemas``.
    private(set) var failure = "Problem"
    /// The statuses of problems beside those that follow from the rest.
    private(set) var problems: [Int] = []

    init(_ method: HTTPMethod, _ path: String, _ access: Access, _ handler: @escaping Handler) {
        (self.method, self.path, self.access, self.handler) = (method, path, access, handler)
    }

    func summarized(_ summary: String) -> Route {
        var route = self
        route.summary = summary
        return route
    }

    func taking(_ parameters: Parameter..., body: String? = nil, form: String? = nil) -> Route {
        var route = self
        (route.parameters, route.body, route.form) = (parameters, body, form)
        return route
    }

    /// The same as a `POST` that changes nothing, so that it is a read to those who may read, and honours their conditions.
    func evaluating(mayOmitBody: Bool = false) -> Route {
        var route = self
        (route.isEvaluation, route.mayOmitBody) = (true, mayOmitBody)
        return route
    }

    /// The same with another answer to what goes wrong with the question itself.
    func failing(as failure: String) -> Route {
        var route = self
        route.failure = failure
        return route
    }

    func answering(_ answers: Answers, as mediaType: String = "application/json", or problems: Int...) -> Route {
        var route = self
        (route.answers, route.mediaType, route.problems) = (answers, mediaType, problems)
        return route
    }
}

extension Route {
    /// The name in the metrics and in the documentation: `GET /v1/{ns}/config`.
    var name: String { "\(verb) \(path)" }

    /// The method as it is in a request.
    var verb: String { method.rawValue }

    /// Whether it only reads. Those with `GET` answer `HEAD` as well.
    var isRead: Bool { method == .GET || isEvaluation }

    /// The media types that a body may have; none without a body.
    var bodyTypes: [MediaTypeName] {
        [body.map { _ in .json }, form.map { _ in .form }].compactMap(\.self)
    }

    /// Whether a write honours `If-Match` and `If-None-Match`; otherwise they are refused. Reads always honour them.
    var honoursConditions: Bool { parameters.contains(.ifMatch) }

    /// The names of the path's parameters.
    var pathParameters: [String] { RoutePattern.Segment.all(of: path).compactMap(\.parameter) }

    /// All statuses of problems.
    var allProblems: [Int] {
        let access = access == .open ? [] : [401, 403, 429, 503]
        let content = body == nil ? [] : [413, 415, 507]
        // 412 comes from conditions on an answer.
        let conditions = isRead ? [412] : []
        // 403 and 421 come from the origin and the host that a browser names.
        return Set(problems + access + content + conditions + [400, 403, 408, 414, 421, 431]).sorted()
    }
}
