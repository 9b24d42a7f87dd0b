public import ConfigModel
internal import Foundation

/// The password of a shared store, which no message and no log shows.
public struct StorePassword: Hashable, Sendable {
    /// The password itself, for the connection.
    package let text: String

    /// Creates a password.
    public init(_ text: String) {
        self.text = text
    }

    /// Reads the first line of a file.
    ///
    /// - Throws: ``ConfigError`` if the file cannot be read, begins with an empty line, or is readable by everybody.
    public init(file path: String) throws(ConfigError) {
        guard let bytes = FileManager.default.contents(atPath: path),
            let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        else { throw ConfigError(.unreadable, "the password file \(path) cannot be read") }
        guard mode & 0o007 == 0 else {
            throw ConfigError(.insecure, "the password file \(path) is open to everybody; run chmod o= \(path)")
        }
        guard let text = String(bytes: bytes.prefix(4096), encoding: .utf8) else {
            throw ConfigError(.unreadable, "the password file \(path) is not UTF-8")
        }
        self.init(String(text.prefix { !$0.isNewline }))
        guard !self.text.isEmpty else {
            throw ConfigError(.unreadable, "the password file \(path) begins with an empty line")
        }
    }
}

extension StorePassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Not the password.
    public var description: String { "(a password)" }
    /// Not the password.
    public var debugDescription: String { description }
    /// Not the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
