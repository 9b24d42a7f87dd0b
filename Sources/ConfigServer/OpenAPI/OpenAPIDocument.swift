/// The description of the server's interface, OpenAPI 3.1.
enum OpenAPIDocument {
    /// As JSON.
    static let json = Array("{}".utf8)
}
