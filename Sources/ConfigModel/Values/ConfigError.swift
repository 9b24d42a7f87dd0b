// SPDX-License-Identifier: Apache-2.0

/// A configuration error: the cause, its position and the next step.
///
/// The ``description`` is one line that a person can act on:
///
/// ```
/// config.json:3:5: app.background.color: "pink" is not a colour such as #FFB6C1
/// ```
public struct ConfigError: Error, Sendable {
    /// The kind of an error.
    public typealias Code = ErrorCode

    /// The kind of error.
    public var code: Code
    /// The cause and the next step, as one sentence without a full stop.
    public var message: String
    /// The source's name, such as `config.json`.
    public var source: String?
    /// The place in the source.
    public var location: TextLocation?
    /// The key with the error.
    public var key: String?
    /// The line of the source with the place, of a text that could not be read.
    package var excerpt: Excerpt?
    /// The underlying error of another library.
    public var underlying: (any Error)?
    /// The server's interval before the next request.
    public var retryAfter: Duration?
    /// The time for which the invalid response stays fresh by the source's own headers; `nil` without any.
    package var freshFor: Duration?
    /// The number of bytes received over a network, with headers and compressed bodies, for statistics; 0 if it was not
    /// counted.
    package var bytesReceived = 0
    /// The schema violations, or the errors in the schemas themselves, because of which a server rejected a change.
    public var violations: [ViolationMessage] = []

    /// Creates an error; the source, the place and the key may be added later.
    public init(
        _ code: Code,
        _ message: String,
        source: String? = nil,
        location: TextLocation? = nil,
        key: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.source = source
        self.location = location
        self.key = key
        self.underlying = underlying
    }
}

extension ConfigError {
    /// The error of a failed operation on a file or over HTTP.
    package init(_ failure: OperationFailure) {
        self.init(failure.code, failure.message, source: failure.source, underlying: failure.underlying)
        bytesReceived = failure.bytesReceived
    }

    /// Performs an operation on a file or over HTTP, and converts its failure to a `ConfigError`.
    package static func catching<Value>(
        _ operation: @autoclosure () throws(OperationFailure) -> Value
    ) throws(ConfigError) -> Value {
        do throws(OperationFailure) {
            return try operation()
        } catch {
            throw ConfigError(error)
        }
    }

    /// Performs an operation over HTTP, and converts its failure to a `ConfigError`.
    package static func catching<Value>(
        awaiting operation: @autoclosure () async throws(OperationFailure) -> Value
    ) async throws(ConfigError) -> Value {
        do throws(OperationFailure) {
            return try await operation()
        } catch {
            throw ConfigError(error)
        }
    }
}

extension ErrorCode {
    /// A duplicate key.
    public static let duplicateKey = ErrorCode("duplicate_key")
    /// A name that is not a key: 1 to 128 letters, digits, `.`, `-` and `_`, with no empty part between dots.
    public static let invalidKey = ErrorCode("invalid_key")
    /// JSON, but not a configuration value: `null`, or a number that a double does not keep.
    public static let unsupportedValue = ErrorCode("unsupported_value")
    /// The value of a key cannot be read as the requested type.
    public static let typeMismatch = ErrorCode("type_mismatch")
    /// The rule of a key cannot be read or evaluated, so that the key has its default value.
    public static let invalidRule = ErrorCode("invalid_rule")
}

extension ConfigError {
    /// The error of a request that its caller cancelled.
    package static let cancelled = ConfigError(.cancelled, "the request was cancelled")

    /// The same error with the number of bytes that were received.
    package func counting(bytes: Int) -> ConfigError { setting(\.bytesReceived, to: bytes) }

    /// The same error with its source named.
    public func naming(source: String) -> ConfigError { setting(\.source, to: source) }

    /// The same error with its key named.
    public func naming(key: String) -> ConfigError { setting(\.key, to: key) }

    /// The error for a change that violates schemas, or for schemas with errors: `rejected` with the violations.
    package static func breakingSchemas(_ violations: [ViolationMessage]) -> ConfigError {
        let first = violations.first
        let reason =
            first?.rule != nil
            ? "invalid rules"
            : first?.key == nil ? "invalid schemas" : "schema violations"
        var error = ConfigError(.rejected, "nothing was written: \(reason)")
        error.violations = violations
        return error
    }

    /// The first of several errors, with their number.
    package func standing(for count: Int) -> ConfigError {
        setting(\.message, to: count > 1 ? "\(message) (and \(count - 1) more)" : message)
    }

    private func setting<Value>(_ path: WritableKeyPath<ConfigError, Value>, to value: Value) -> ConfigError {
        var error = self
        error[keyPath: path] = value
        return error
    }
}

extension ConfigError {
    /// A line of a text, and a place in it.
    package struct Excerpt: Hashable, Sendable {
        /// The line without its line break, or the surroundings of the position in a long one.
        package let text: String
        /// The number of Unicode scalars of ``text`` before the position.
        package let offset: Int

        /// Creates an excerpt.
        package init(_ text: String, offset: Int) { (self.text, self.offset) = (text, offset) }

        /// Finds the line of a position in UTF-8; of a long one at most 60 scalars on each side of the position.
        init(of bytes: [UInt8], at place: TextLocation) {
            var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            for _ in 1..<place.line {
                guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { break }
                start = end + 1
            }
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
            let line = String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars
            let before = line.prefix(place.column - 1).suffix(60)
            let after = line.dropFirst(place.column - 1).prefix(60)
            self.init(String(String.UnicodeScalarView(before + after)), offset: before.count)
        }
    }
}

extension ConfigError: CustomStringConvertible {
    /// Place, key and message in one line.
    public var description: String {
        let place = [source, location?.description].compactMap(\.self).joined(separator: ":")
        return [place, key ?? "", message].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension ConfigError: Hashable {
    /// Equal when their codes and descriptions are; the underlying error does not count.
    public static func == (left: ConfigError, right: ConfigError) -> Bool {
        left.code == right.code && left.description == right.description
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(description)
    }
}

/// A place in a text, as editors show it.
public struct TextLocation: Hashable, Sendable {
    /// The line, from 1.
    public var line: Int { Int(compactLine) }
    /// The column, from 1, in Unicode scalars.
    public var column: Int { Int(compactColumn) }

    // Every entry of a document has one.
    private let compactLine: UInt32
    private let compactColumn: UInt32

    /// Creates a location from its line and column, both from 1 and below 2^32.
    public init(line: Int, column: Int) {
        compactLine = UInt32(clamping: line)
        compactColumn = UInt32(clamping: column)
    }
}

extension TextLocation: Comparable {
    /// Orders as a text is read.
    public static func < (left: TextLocation, right: TextLocation) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension TextLocation: CustomStringConvertible {
    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}
