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
                    for path in Set(OpenAPIOperation.all.map(\.path)).sorted() { writePath(path, to: &paths) }
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
                for operation in OpenAPIOperation.all where operation.path == path {
                    methods.member(operation.method) { operation.write(to: &$0) }
                }
            }
        }
    }
}
