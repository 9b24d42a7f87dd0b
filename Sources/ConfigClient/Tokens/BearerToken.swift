// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import HTTPTransport

/// The secret by which a server identifies a client. It appears neither in descriptions nor in reflection.
public struct BearerToken: Hashable, Sendable {
    private let text: String

    /// Creates a token from a text as it was given, without white space around it.
    ///
    /// - Throws: `invalidToken` if it is empty or contains anything but visible ASCII characters.
    public init(_ text: String) throws(ConfigError) {
        self.text = text.trimmed
        guard !self.text.isEmpty else {
            throw ConfigError(.invalidToken, "the token is empty; check the variable or file that contains it")
        }
        guard self.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let message =
                "invalid character in the token, such as a space or a line break; copy it again"
            throw ConfigError(.invalidToken, message)
        }
    }

    /// The value of an `Authorization` field; a closure, so that a request does not show it in its description either.
    package var authorization: @Sendable () -> String {
        { "Bearer " + text }
    }
}

extension BearerToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `•••`, for any token.
    public var description: String { "•••" }
    /// `•••`, for any token.
    public var debugDescription: String { description }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
