// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import HTTPTransport

/// Makes requests with the token of a provider, and once more with another one where the first is refused.
package struct AuthorizedTransport: Sendable {
    private let transport: HTTPClient
    private let tokens: TokenProvider

    package init(transport: HTTPClient, tokens: TokenProvider) {
        (self.transport, self.tokens) = (transport, tokens)
    }

    /// The whole answer to a request.
    package func response(to request: HTTPRequest) async throws(ConfigError) -> HTTPResponse {
        try await answer(to: request, \.head) { request async throws(ConfigError) in
            try await ConfigError.catching(awaiting: try await transport.response(to: request))
        }
    }

    /// The beginning of an answer, and then its body as it arrives.
    package func stream(_ request: HTTPRequest) async throws(ConfigError) -> HTTPStream {
        try await answer(to: request, \.head) { request async throws(ConfigError) in
            try await ConfigError.catching(awaiting: try await transport.stream(request))
        }
    }

    private func answer<Answer>(
        to request: HTTPRequest,
        _ head: KeyPath<Answer, HTTPResponseHead>,
        _ send: (HTTPRequest) async throws(ConfigError) -> Answer
    ) async throws(ConfigError) -> Answer {
        var request = request
        let token = try await tokens.token()
        request.authorization = token?.authorization
        let first = try await send(request)
        guard first[keyPath: head].refusesToken(of: request) else { return first }
        guard let other = try await tokens.token(after: token), other != token else { return first }
        request.authorization = other.authorization
        return try await send(request)
    }
}

extension HTTPResponseHead {
    /// Whether the origin of the request rejects the token. The target of a redirect has received none.
    fileprivate func refusesToken(of request: HTTPRequest) -> Bool {
        status == 401 && Origin(url) == Origin(request.url)
    }
}
