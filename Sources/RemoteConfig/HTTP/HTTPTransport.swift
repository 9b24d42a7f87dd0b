package import ConfigModel

/// A way to servers.
///
/// A transport reports a status of any kind as an answer; ``HTTPResponseHead/problem(with:)`` turns those that are no
/// good into errors. It throws where there is no whole answer: `unreachable`, `insecure`, `badResponse`, `tooLarge`,
/// and `cancelled` soon after the task was cancelled.
package protocol HTTPTransport: Sendable {
    /// The whole answer to a request; its body has at most 8 MiB once decompressed, unless the request takes what
    /// the server announces.
    func response(to request: HTTPRequest) async throws(ConfigError) -> HTTPResponse

    /// The beginning of an answer, as soon as it is there, and then its body as it arrives.
    func stream(_ request: HTTPRequest) async throws(ConfigError) -> HTTPStream
}
