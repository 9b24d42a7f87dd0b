import ArgumentParser
import ConfigModel
import Files

/// A key, and where its value comes from.
struct Assignment: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        case text(String)
        /// A file, or standard input for `-`.
        case file(String)
    }

    var key: String
    var origin: Origin

    /// Reads `KEY VALUE` or `KEY=VALUE …`, where a value may be `-` or `@file` unless it is literal.
    static func read(_ arguments: [String], isLiteral: Bool) throws(ConfigError) -> [Assignment] {
        let assignments: [Assignment]
        if arguments.count == 2, !arguments[0].contains("=") {
            assignments = [try Assignment(key: arguments[0], text: arguments[1], isLiteral: isLiteral)]
        } else {
            assignments = try arguments.map { (argument) throws(ConfigError) in
                let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else {
                    throw ConfigError(.rejected, "expected KEY VALUE, or KEY=VALUE for each of several keys")
                }
                return try Assignment(key: String(parts[0]), text: String(parts[1]), isLiteral: isLiteral)
            }
        }
        try check(assignments)
        return assignments
    }

    private init(key: String, text: String, isLiteral: Bool) throws(ConfigError) {
        try Self.check(key)
        self.key = key
        switch text {
        case _ where isLiteral: origin = .text(text)
        case "-": origin = .file("-")
        case _ where text.hasPrefix("@"): origin = .file(String(text.dropFirst()))
        default: origin = .text(text)
        }
    }

    static func check(_ key: String) throws(ConfigError) {
        guard let problem = KeyRule.problem(in: key) else { return }
        throw ConfigError(.invalidKey, "the key \(problem)", key: key.excerpt(ofScalars: KeyRule.maximumLength))
    }

    /// - Parameter prefix: a key, or the beginning of keys, which may end in a dot.
    static func check(prefix: String) throws(ConfigError) {
        try check(prefix.hasSuffix(".") ? String(prefix.dropLast()) : prefix)
    }

    private static func check(_ assignments: [Assignment]) throws(ConfigError) {
        var keys: Set<String> = []
        if let twice = assignments.first(where: { !keys.insert($0.key).inserted }) {
            throw ConfigError(.duplicateKey, "duplicate key; give it once", key: twice.key)
        }
        guard assignments.count(where: { $0.origin == .file("-") }) <= 1 else {
            throw ConfigError(.rejected, "standard input can be the value of one key only")
        }
    }
}

/// Reads a file that the user names, up to a limit.
enum InputFile {
    /// The bytes of a file, or of standard input for `-`.
    static func bytes(at path: String, atMost limit: Int) throws(ConfigError) -> [UInt8] {
        do throws(FileError) {
            return path == "-"
                ? try FileContent.standardInput(atMost: limit) : try FileContent.bytes(at: path, atMost: limit)
        } catch {
            let name = name(of: path)
            if error.isTooLarge {
                throw ConfigError(.tooLarge, "larger than \(limit.grouped) bytes", source: name)
            }
            throw ConfigError(.unreadable, "cannot be read: \(error.reason)", source: name)
        }
    }

    /// The text of a file, without one line break at its end.
    static func text(at path: String, atMost limit: Int) throws(ConfigError) -> String {
        var bytes = try bytes(at: path, atMost: limit)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigError(.syntax, "this is not valid UTF-8; save the file in UTF-8", source: path)
        }
        return text
    }

    static func document(at path: String) throws(ConfigError) -> [String: EntryValue] {
        let bytes = try bytes(at: path, atMost: ConfigDocument.maximumBytes)
        return try ConfigDocument(json: bytes, source: name(of: path)).entries.mapValues(\.value)
    }

    private static func name(of path: String) -> String { path == "-" ? "standard input" : path }
}

/// The type that the text of a value is read as.
enum ValueKind: String, CaseIterable, ExpressibleByArgument {
    case string
    case number
    case boolean
    case array
    case object
    /// Any value of JSON, texts in quotes.
    case json
}

extension ValueKind {
    /// - Throws: `typeMismatch`, or `syntax` if the text is not JSON.
    func value(_ text: String) throws(ConfigError) -> EntryValue {
        guard self != .string else { return try Self.checked(.string(text)) }
        guard let value = try? Self.parsed(text) else {
            if self == .json { return try Self.parsed(text) }
            throw mismatch(text)
        }
        switch (self, value) {
        case (.json, _), (.number, .integer), (.number, .double), (.boolean, .boolean), (.array, .array),
            (.object, .object):
            return value
        default:
            throw mismatch(text)
        }
    }

    /// Reads a text as a value of the type that a key's value has now. A new key's value is a number, a Boolean or an
    /// array if the text is one in JSON, and otherwise a string.
    static func value(_ text: String, like former: EntryValue?) throws(ConfigError) -> EntryValue {
        guard let former else {
            if let value = try? parsed(text), ValueKind(of: value) != .string { return value }
            return try checked(.string(text))
        }
        let kind = ValueKind(of: former)
        do throws(ConfigError) {
            return try kind.value(text)
        } catch {
            guard error.code == .typeMismatch else { throw error }
            let advice = "the type of the present value; use --type to change it"
            throw ConfigError(.typeMismatch, "\(error.message), \(advice)")
        }
    }

    init(of value: EntryValue) {
        switch value {
        case .string: self = .string
        case .integer, .double: self = .number
        case .boolean: self = .boolean
        case .array: self = .array
        case .object: self = .object
        case .null: self = .json
        }
    }

    private static func parsed(_ text: String) throws(ConfigError) -> EntryValue {
        try EntryValue(json: Array(text.utf8))
    }

    private static func checked(_ value: EntryValue) throws(ConfigError) -> EntryValue {
        guard value.canonicalJSON.utf8.count <= EntryValue.maximumBytes else {
            let limit = EntryValue.maximumBytes
            throw ConfigError(
                .tooLarge,
                "the value is larger than \(limit) bytes; keep it elsewhere and put its URL here"
            )
        }
        return value
    }

    private func mismatch(_ text: String) -> ConfigError {
        let shown = text.excerpt(ofScalars: 40)
        let name = self == .boolean ? "Boolean" : rawValue
        return ConfigError(.typeMismatch, "\"\(shown)\" is not \(name.withArticle)")
    }
}
