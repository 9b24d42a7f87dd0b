internal import ConfigModel

/// The description of the server's interface, OpenAPI 3.1.
package enum OpenAPIDocument {
    /// As JSON.
    package static let json: [UInt8] = {
        var json = JSONWriter()
        json.object { root in
            root.member("openapi") { $0.string("3.1.0") }
            root.member("info") { member in
                member.object { info in
                    info.member("title") { $0.string("Livery") }
                    info.member("version") { $0.string(SemanticVersion.livery.description) }
                    info.member("description") { $0.string(about) }
                }
            }
            root.member("paths") { member in
                member.object { paths in
                    for path in Set(Route.all.map(\.path)).sorted() { writePath(path, to: &paths) }
                }
            }
            root.member("components") { $0.raw(OpenAPISchemas.components) }
        }
        return json.bytes
    }()

    private static let about = """
        Live remote configuration. Where the server has tokens, a request sends one as `Authorization: Bearer`. Its role \
        is `read` (configurations, history, streams), `write` (change keys as well) or `admin` (roll a whole namespace \
        back as well), in the namespaces that it names. A write beyond a quota is answered 507. Answers about a whole \
        namespace have the field `livery-max-size`, the most bytes that its snapshot may have.
        """

    private static func writePath(_ path: String, to json: inout JSONWriter) {
        json.member(path) { member in
            member.object { methods in
                for route in Route.all where route.path == path {
                    methods.member(route.verb.lowercased()) { route.writeOperation(to: &$0) }
                }
            }
        }
    }
}

extension Route {
    private var isOpen: Bool { access == .open }

    fileprivate func writeOperation(to json: inout JSONWriter) {
        json.object { operation in
            operation.member("summary") { $0.string(summary) }
            operation.member("description") { $0.string(accessText) }
            operation.member("operationId") { $0.string(identifier) }
            let names = pathParameters + parameters.map(\.rawValue) + (isOpen ? [] : ["seen"])
            if !names.isEmpty {
                operation.member("parameters") { member in
                    member.array { array in
                        for name in names { array.raw(##"{"$ref":"#/components/parameters/\##(name)"}"##) }
                    }
                }
            }
            if body != nil { operation.member("requestBody") { writeBody(to: &$0) } }
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
        return verb.lowercased() + (words.isEmpty ? "Root" : words.joined())
    }

    private func writeBody(to json: inout JSONWriter) {
        let contents = [(MediaTypeName.json, body), (.form, form)].compactMap { type, schema in
            schema.map { ##""\##(type.rawValue)":{"schema":{"$ref":"#/components/schemas/\##($0)"}}"## }
        }
        json.raw(#"{"required":true,"content":{\#(contents.joined(separator: ","))}}"#)
    }

    private func writeAnswers(to json: inout JSONWriter) {
        json.object { responses in
            for answer in answers {
                responses.member(String(answer.status)) { member in
                    guard let schema = answer.schema else { return member.raw(#"{"description":"Done."}"#) }
                    let content = ##"{"\##(mediaType)":{"schema":{"$ref":"#/components/schemas/\##(schema)"}}}"##
                    member.raw(#"{"description":"Done.","content":\#(content)}"#)
                }
            }
            for status in allProblems {
                responses.member(String(status)) { $0.raw(##"{"$ref":"#/components/responses/Problem"}"##) }
            }
        }
    }
}
