// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The declaration of a route: the parts of its request and its responses.
///
/// The server joins it with the code that answers, clients build their requests from it, and the description of the interface
/// is made of it.
package struct WireRoute: Sendable {
    /// A status of success and the schema of its body; `nil` without a body.
    typealias Answers = KeyValuePairs<Int, WireSchema?>

    /// The method as it is in a request.
    package let method: String
    /// The path with its parameters: `/v1/{ns}/entries/{key}`.
    package let path: String
    /// The access that a request needs.
    package let access: Access
    /// A few words about its purpose.
    package let summary: String
    /// The parameters besides those of the path.
    package let parameters: [WireParameter]
    /// The schema of the body as JSON; `nil` without a body.
    let body: WireSchema?
    /// The schema of the body as a form; `nil` if it cannot be one.
    let form: WireSchema?
    /// Whether it is a `POST` that changes nothing: it needs only the right to read, and honours the conditions of reads.
    package let isEvaluation: Bool
    /// Whether a request may leave out the body.
    package let mayOmitBody: Bool
    let answers: Answers
    /// The media type of a successful answer.
    let mediaType: String
    /// The statuses of problems in addition to the ones that follow from the rest.
    private let problems: [Int]

    /// - Parameter name: the method and the path, such as `GET /v1/{ns}/config`.
    init(
        _ name: String,
        _ access: Access,
        _ summary: String,
        taking parameters: [WireParameter] = [],
        body: WireSchema? = nil,
        form: WireSchema? = nil,
        isEvaluation: Bool = false,
        mayOmitBody: Bool = false,
        _ answers: Answers,
        as mediaType: String = "application/json",
        or problems: [Int] = []
    ) {
        let words = name.split(separator: " ", maxSplits: 1).map(String.init)
        (method, path) = (words[0], words[1])
        (self.access, self.summary) = (access, summary)
        (self.parameters, self.body, self.form) = (parameters, body, form)
        (self.isEvaluation, self.mayOmitBody) = (isEvaluation, mayOmitBody)
        (self.answers, self.mediaType, self.problems) = (answers, mediaType, problems)
    }
}

extension WireRoute {
    /// The name in the metrics and in the documentation: `GET /v1/{ns}/config`.
    package var name: String { "\(method) \(path)" }

    /// Whether it only reads. Those with `GET` answer `HEAD` as well.
    package var isRead: Bool { method == "GET" || isEvaluation }

    /// Whether it has a body, which is JSON.
    package var hasBody: Bool { body != nil }

    /// Whether the body may be a form as well.
    package var acceptsForm: Bool { form != nil }

    /// Whether a write honours `If-Match` and `If-None-Match`; otherwise they are refused. Reads always honour them.
    package var honoursConditions: Bool { parameters.contains(.ifMatch) }

    /// Whether it belongs to OpenFeature's protocol, which has its own response to invalid requests.
    var isOFREP: Bool { path.contains("/ofrep/") }

    /// All statuses of problems.
    var allProblems: [Int] {
        let access = access == .open ? [] : [401, 403, 429, 503]
        let content = hasBody ? [413, 415, 507] : []
        // 412 comes from conditions on an answer.
        let conditions = isRead ? [412] : []
        // 403 and 421 come from the origin and the host that a browser names.
        return Set(problems + access + content + conditions + [400, 403, 408, 414, 421, 431]).sorted()
    }

    /// The list of the entries of a kind.
    package static func list(_ kind: EntryKind) -> WireRoute {
        kind == .value ? entries : kind == .schema ? schemas : rules
    }

    /// One entry of a kind.
    package static func entry(_ kind: EntryKind) -> WireRoute {
        kind == .value ? entry : kind == .schema ? schema : rule
    }

    /// The write of an entry of a kind.
    package static func put(_ kind: EntryKind) -> WireRoute {
        kind == .value ? putEntry : kind == .schema ? putSchema : putRule
    }

    /// The path of a request, with values in place of the parameters in their order. No name of this project needs an escape.
    package func path(_ values: String...) -> String { path(values) }

    /// The same with an array of values.
    package func path(_ values: [String]) -> String {
        var rest = values[...]
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.first == "{", let value = rest.popFirst() else { return String(segment) }
            return value + segment.drop { $0 != "}" }.dropFirst()
        }
        return segments.joined(separator: "/")
    }
}

/// The rights of a token; each role includes those before it.
public enum Role: String, Comparable, CaseIterable, Sendable {
    /// Read the configuration and follow it.
    case read
    /// Read, change entries, schemas and rules, and edit drafts.
    case write
    /// Review drafts, and apply them.
    case approve
    /// Set the policy of reviews, and undo the changes of others: roll a whole namespace back.
    case admin

    /// Whether the right role allows more.
    public static func < (left: Role, right: Role) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

package enum Access: Hashable, Sendable {
    /// None: anyone may send it.
    case open
    /// Any token, if the server has tokens.
    case anyToken
    /// A token with at least this role for the namespace in the path, or else for the standard one.
    case namespace(Role)
}
