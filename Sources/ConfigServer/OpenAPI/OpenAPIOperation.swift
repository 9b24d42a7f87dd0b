internal import ConfigModel

/// What the description says of a route.
struct OpenAPIOperation: Sendable {
    var method: String
    var path: String
    var summary: String
    /// Names of parameters in the components, beside those of the path.
    var parameters: [String] = []
    /// The schema of the body.
    var body: String?
    /// The schema of the body if it is a form, where it may be one.
    var form: String?
    /// The statuses of success with the schema of their bodies: `nil` for none.
    var answers: [(status: Int, schema: String?)]
    /// The media type of the successful answers.
    var mediaType = "application/json"
    /// The statuses of problems, beside those that every request may meet.
    var problems: [Int] = []
    /// What whoever asks must be allowed to, where there are tokens.
    var access = Access.namespace(.read)

    private var isOpen: Bool { access == .open }

    private var pathParameters: [String] {
        path.split(separator: "/").compactMap { segment in
            guard segment.hasPrefix("{") else { return nil }
            return String(segment.dropFirst().prefix { $0 != "}" })
        }
    }

    private var everyProblem: [Int] {
        let access = isOpen ? [] : [401, 403, 429, 503]
        let path = pathParameters.isEmpty ? [] : [400]
        let content = body == nil ? [] : [400, 413, 415, 507]
        // 403 and 421 come of where the page and the name are that a browser asks for; 412 of conditions on an answer.
        let conditions = method == "get" ? [412] : []
        return Set(problems + access + path + content + conditions + [400, 403, 408, 414, 421, 431]).sorted()
    }

    func write(to json: inout JSONWriter) {
        json.object { operation in
            operation.member("summary") { $0.string(summary) }
            operation.member("description") { $0.string(accessText) }
            operation.member("operationId") { $0.string(identifier) }
            let names = pathParameters + parameters + (isOpen ? [] : ["seen"])
            if !names.isEmpty {
                operation.member("parameters") { member in
                    member.array { array in
                        for name in names { array.raw(##"{"$ref":"#/components/parameters/\##(name)"}"##) }
                    }
                }
            }
            if let body { operation.member("requestBody") { writeBody(body, to: &$0) } }
            operation.member("responses") { writeAnswers(to: &$0) }
            operation.member("security") { $0.raw(isOpen ? "[]" : #"[{},{"token":[]}]"#) }
        }
    }

    private var accessText: String {
        switch access {
        case .open: "Needs no token."
        case .anyToken: "Needs a token, whatever its role, where the server has tokens."
        case .namespace(let role):
            "Needs a token for the namespace with the role \(role.rawValue)"
                + (role == .admin ? "" : " or a higher one") + ", where the server has tokens."
        }
    }

    private var identifier: String {
        let words = path.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return method + (words.isEmpty ? "Root" : words.joined())
    }

    private func writeBody(_ schema: String, to json: inout JSONWriter) {
        let contents = [("application/json", schema), ("application/x-www-form-urlencoded", form)].compactMap {
            type,
            schema in
            schema.map { ##""\##(type)":{"schema":{"$ref":"#/components/schemas/\##($0)"}}"## }
        }
        json.raw(#"{"required":true,"content":{\#(contents.joined(separator: ","))}}"#)
    }

    private func writeAnswers(to json: inout JSONWriter) {
        json.object { responses in
            for (status, schema) in answers {
                responses.member(String(status)) { member in
                    guard let schema else { return member.raw(#"{"description":"Done."}"#) }
                    let content = ##"{"\##(mediaType)":{"schema":{"$ref":"#/components/schemas/\##(schema)"}}}"##
                    member.raw(#"{"description":"Done.","content":\#(content)}"#)
                }
            }
            for status in everyProblem {
                responses.member(String(status)) { $0.raw(##"{"$ref":"#/components/responses/Problem"}"##) }
            }
        }
    }
}

extension OpenAPIOperation {
    /// All operations, as the routes have them.
    static let all: [OpenAPIOperation] = [
        OpenAPIOperation(
            method: "get",
            path: "/v1/{ns}/config",
            summary: "The state, or what has changed since a revision",
            parameters: ["epoch", "after", "ifMatch", "ifNoneMatch"],
            answers: [(200, "Config"), (304, nil)]
        ),
        OpenAPIOperation(
            method: "get",
            path: "/v1/{ns}/events",
            summary: "Changes as they happen, as server-sent events",
            parameters: ["lastEventID"],
            answers: [(200, "Event")],
            mediaType: "text/event-stream",
            problems: [426]
        ),
        OpenAPIOperation(
            method: "get",
            path: "/v1/{ns}/entries",
            summary: "All entries",
            parameters: ["ifMatch", "ifNoneMatch"],
            answers: [(200, "Entries"), (304, nil)]
        ),
        OpenAPIOperation(
            method: "patch",
            path: "/v1/{ns}/entries",
            summary: "Set and unset several keys as one revision",
            parameters: ["ifMatch", "ifNoneMatch"],
            body: "PublishRequest",
            answers: [(200, "PublishReceipt")],
            problems: [409, 412],
            access: .namespace(.write)
        ),
        OpenAPIOperation(
            method: "get",
            path: "/v1/{ns}/entries/{key}",
            summary: "An entry",
            parameters: ["ifMatch", "ifNoneMatch"],
            answers: [(200, "Entry"), (304, nil)],
            problems: [404]
        ),
        OpenAPIOperation(
            method: "put",
            path: "/v1/{ns}/entries/{key}",
            summary: "Set a key",
            parameters: ["ifMatch", "ifNoneMatch"],
            body: "ValueRequest",
            answers: [(200, "Entry"), (201, "Entry")],
            problems: [412],
            access: .namespace(.write)
        ),
        OpenAPIOperation(
            method: "delete",
            path: "/v1/{ns}/entries/{key}",
            summary: "Unset a key",
            parameters: ["ifMatch", "ifNoneMatch"],
            answers: [(204, nil)],
            problems: [404, 412, 507],
            access: .namespace(.write)
        ),
        OpenAPIOperation(
            method: "get",
            path: "/v1/{ns}/history",
            summary: "What happened, newest first",
            parameters: ["historyKey", "before", "limit"],
            answers: [(200, "History")]
        ),
        OpenAPIOperation(
            method: "post",
            path: "/v1/{ns}/rollback",
            summary: "Make the state equal to what it was",
            parameters: ["ifMatch", "ifNoneMatch"],
            body: "RollbackRequest",
            answers: [(200, "PublishReceipt")],
            problems: [404, 412],
            access: .namespace(.admin)
        ),
        OpenAPIOperation(
            method: "get",
            path: "/v1",
            summary: "What the server is and has",
            answers: [(200, "ServerInfo")],
            access: .anyToken
        ),
        OpenAPIOperation(
            method: "get",
            path: "/{ns}.json",
            summary: "The state as one nested document",
            parameters: ["ifMatch", "ifNoneMatch"],
            answers: [(200, "Document"), (304, nil)],
            problems: [404]
        ),
        OpenAPIOperation(
            method: "get",
            path: "/",
            summary: "Welcome",
            answers: [(200, "Document")],
            access: .open
        ),
        OpenAPIOperation(
            method: "get",
            path: "/config",
            summary: "The table of the namespace default",
            answers: [(200, "Rows")]
        ),
        OpenAPIOperation(
            method: "get",
            path: "/config/{timestamp}",
            summary: "Rows changed after a moment",
            answers: [(200, "Rows")]
        ),
        OpenAPIOperation(
            method: "post",
            path: "/config",
            summary: "Insert a row",
            body: "Row",
            form: "FormRow",
            answers: [(200, "InsertedRow")],
            problems: [409],
            access: .namespace(.write)
        ),
        OpenAPIOperation(
            method: "get",
            path: "/health",
            summary: "Whether the server lives",
            answers: [(200, "Status")],
            access: .open
        ),
        OpenAPIOperation(
            method: "get",
            path: "/ready",
            summary: "Whether the server can do its work",
            answers: [(200, "Status")],
            problems: [503, 507],
            access: .open
        ),
        OpenAPIOperation(
            method: "get",
            path: "/metrics",
            summary: "Counters in Prometheus's text format",
            answers: [(200, "Text")],
            mediaType: "text/plain",
            access: .anyToken
        ),
        OpenAPIOperation(
            method: "get",
            path: "/openapi.json",
            summary: "This description",
            answers: [(200, "Document")],
            access: .open
        ),
    ]
}
