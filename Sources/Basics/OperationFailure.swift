// SPDX-License-Identifier: Apache-2.0

/// The kind of a failure, by which a program decides what follows: whether to wait, to try again or to report to a person.
public struct ErrorCode: Hashable, Sendable {
    /// The stable name of the kind, for logs and machine-readable output.
    public let rawValue: String

    /// Creates a kind; `rawValue` is its stable name, in lower case with underscores.
    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// The text does not follow its grammar.
    public static let syntax = ErrorCode("syntax")
    /// A document or value beyond its size limit.
    public static let tooLarge = ErrorCode("too_large")
    /// The source does not exist.
    public static let notFound = ErrorCode("not_found")
    /// The source existed for a while and does not any more, such as the preview of a draft that was applied (410).
    public static let ended = ErrorCode("ended")
    /// The source is there but cannot be read.
    public static let unreadable = ErrorCode("unreadable")
    /// The text is not the address of a source: an unknown scheme, no host, a password in the address.
    public static let invalidSource = ErrorCode("invalid_source")
    /// The text cannot be a token.
    public static let invalidToken = ErrorCode("invalid_token")
    /// An option of a connection is invalid, or this libcurl does not support it.
    public static let invalidOption = ErrorCode("invalid_option")
    /// No connection, no such host, no answer in time, or an incomplete one.
    public static let unreachable = ErrorCode("unreachable")
    /// The server is not trusted, or a secret would be sent without encryption.
    public static let insecure = ErrorCode("insecure")
    /// The server requires a token, or another one (401).
    public static let unauthorized = ErrorCode("unauthorized")
    /// The token does not allow the request (403).
    public static let forbidden = ErrorCode("forbidden")
    /// The server limits the rate of requests (429).
    public static let rateLimited = ErrorCode("rate_limited")
    /// The server is not available (5xx).
    public static let unavailable = ErrorCode("unavailable")
    /// A conflict with another writer: a condition of the request failed (409, 412).
    public static let conflict = ErrorCode("conflict")
    /// The request is invalid (400, 413, 422 and similar).
    public static let rejected = ErrorCode("rejected")
    /// The answer is not that of the expected server.
    public static let badResponse = ErrorCode("bad_response")
    /// The program has been set offline, so that nothing was requested.
    public static let offline = ErrorCode("offline")
    /// The caller cancelled the request.
    public static let cancelled = ErrorCode("cancelled")
    /// The data of the source are inconsistent.
    public static let damaged = ErrorCode("damaged")
}

/// The failure of an operation on a file or over HTTP: its kind, and one sentence for people without a full stop.
package struct OperationFailure: Error, Sendable {
    package let code: ErrorCode
    package let message: String
    /// The path of the file, where the operation was on one.
    package let source: String?
    package var underlying: (any Error)?
    /// The number of bytes received over a network, with headers and compressed bodies; 0 for a file.
    package var bytesReceived = 0

    package init(_ code: ErrorCode, _ message: String, source: String? = nil, underlying: (any Error)? = nil) {
        (self.code, self.message, self.source, self.underlying) = (code, message, source, underlying)
    }
}

extension OperationFailure: CustomStringConvertible {
    /// Path and message in one line.
    package var description: String { [source, message].compactMap(\.self).joined(separator: ": ") }
}
