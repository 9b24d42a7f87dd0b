// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The description of the server's interface, OpenAPI 3.1: the routes and their parts.
package struct OpenAPIDocument {
    private let routes: [WireRoute]

    /// - Parameter routes: those of the server.
    package init(of routes: [WireRoute]) { self.routes = routes }

    /// As JSON.
    package var json: [UInt8] { JSONWriter.object(writeDocument) }

    private func writeDocument(to root: inout JSONWriter) {
        root.member("openapi") { $0.string("3.1.0") }
        root.member("info") { member in
            member.object { info in
                info.member("title") { $0.string("Livery") }
                info.member("version") { $0.string(SemanticVersion.livery.description) }
                info.member("description") { $0.string(Self.about) }
            }
        }
        root.member("paths") { member in
            member.object { paths in
                for path in Set(routes.map(\.path)).sorted() {
                    paths.member(path) { $0.object { writeMethods(of: path, to: &$0) } }
                }
            }
        }
        root.member("components") { $0.object(writeComponents) }
    }

    private static let about = """
        Live remote configuration. If the server requires tokens, send one as `Authorization: Bearer`. A token has the \
        role `read` (entries, history, streams), `write` (also change keys) or `admin` (also roll back a namespace), \
        limited to its namespaces. A write that exceeds a quota returns 507. Responses about a whole namespace have \
        the header `livery-max-size`, the maximum size of its snapshot in bytes.
        """

    private func writeMethods(of path: String, to methods: inout JSONWriter) {
        for route in routes where route.path == path {
            methods.member(route.method.lowercased()) { $0.object(route.writeOperation) }
        }
    }

    /// The parts that operations refer to.
    private func writeComponents(to components: inout JSONWriter) {
        let parameters = Set(routes.flatMap(\.allParameters))
        components.member("parameters") { member in
            member.object { object in
                for parameter in parameters.sorted(by: { $0.identifier < $1.identifier }) {
                    object.member(parameter.identifier) { $0.value(parameter.description) }
                }
            }
        }
        components.member("responses") { member in
            member.object { object in
                for failure in ErrorForm.allCases { object.member(failure.rawValue) { $0.value(failure.description) } }
            }
        }
        let schemas =
            routes.flatMap { $0.answers.compactMap(\.value) + [$0.body, $0.form].compactMap(\.self) }
            + parameters.map(\.schema) + ErrorForm.schemas
        let named = schemas.reduce(into: [:]) { $0.merge($1.named) { $1 } }
        components.member("schemas") { $0.values(named.map { (key: $0, value: .object($1)) }) }
        components.member("securitySchemes") { $0.value(["token": ["type": "http", "scheme": "bearer"]]) }
    }
}

/// The answers for errors.
private enum ErrorForm: String, CaseIterable {
    case problem = "Problem"
    /// OFREP's response to an invalid request.
    case ofrep = "OFREPFailure"

    static let schemas = [ProblemDetails.schema, OFREPFailure.schema]

    var description: EntryValue {
        let problem: EntryObject.Member = ("application/problem+json", ["schema": ProblemDetails.schema.use])
        switch self {
        case .problem:
            return ["description": "Problem details (RFC 9457).", "content": .object(EntryObject([problem]))]
        case .ofrep:
            let failure: EntryObject.Member = ("application/json", ["schema": OFREPFailure.schema.use])
            return [
                "description": "The error of the evaluation, or problem details (RFC 9457).",
                "content": .object(EntryObject([failure, problem])),
            ]
        }
    }

    var use: EntryValue { ["$ref": .string("#/components/responses/\(rawValue)")] }
}

extension WireParameter {
    fileprivate var description: EntryValue {
        var members = EntryObject([
            (key: "name", value: .string(name)), (key: "in", value: .string(place.rawValue)),
            (key: "schema", value: schema.use),
        ])
        if place == .path { members.setMember("required", to: true) }
        members.setMember("description", to: about.map { .string($0) })
        return .object(members)
    }

    fileprivate var use: EntryValue { ["$ref": .string("#/components/parameters/\(identifier)")] }
}

extension WireRoute {
    /// The parameters, those of the path first.
    fileprivate var allParameters: [WireParameter] {
        let inPath = WireParameter.inPath.filter { path.contains("{\($0.name)}") }
        return inPath + parameters + (access == .open ? [] : [.seen])
    }

    fileprivate func writeOperation(to operation: inout JSONWriter) {
        operation.member("summary") { $0.string(summary) }
        operation.member("description") { $0.string(accessText) }
        operation.member("operationId") { $0.string(identifier) }
        if !allParameters.isEmpty { operation.member("parameters", each: allParameters) { $1.value($0.use) } }
        if body != nil { operation.member("requestBody") { $0.object(writeBody) } }
        operation.member("responses") { $0.object(writeAnswers) }
        operation.member("security") { $0.value(access == .open ? [] : [[:], ["token": []]]) }
    }

    private var accessText: String {
        switch access {
        case .open: "Requires no token."
        case .anyToken: "Requires a token of any role if the server requires tokens."
        case .namespace(let role):
            "Requires a token for the namespace with the role \(role.rawValue)"
                + (role == .admin ? "" : " or higher") + " if the server requires tokens."
        }
    }

    private var identifier: String {
        let words = path.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return method.lowercased() + (words.isEmpty ? "Root" : words.joined())
    }

    private func writeBody(to object: inout JSONWriter) {
        object.member("required") { $0.boolean(!mayOmitBody) }
        let forms = [("application/json", body), ("application/x-www-form-urlencoded", form)]
        object.member("content") { member in
            member.object { content in
                for case (let type, let schema?) in forms { content.member(type) { $0.value(["schema": schema.use]) } }
            }
        }
    }

    private func writeAnswers(to responses: inout JSONWriter) {
        for (status, schema) in answers {
            responses.member(String(status)) { member in
                member.object { answer in
                    answer.member("description") { $0.string("Done.") }
                    guard let schema else { return }
                    answer.member("content") { $0.object { $0.member(mediaType) { $0.value(["schema": schema.use]) } } }
                }
            }
        }
        for status in allProblems {
            let failure = isOFREP && hasBody && [400, 404].contains(status) ? ErrorForm.ofrep : .problem
            responses.member(String(status)) { $0.value(failure.use) }
        }
    }
}
