public import ConfigModel
internal import Foundation

/// What opens a shared store. It shows itself in no message and no log.
public struct StorePassword: Hashable, Sendable {
    /// The password itself, for whoever has to send it.
    package let text: String

    /// Keeps a password.
    public init(_ text: String) {
        self.text = text
    }

    /// Reads a password from a file, without the line's end.
    ///
    /// - Throws: ``ConfigError`` if the file cannot be read, has nothing in it, or is open to everybody.
    public init(file path: String) throws(ConfigError) {
        guard let bytes = FileManager.default.contents(atPath: path),
            let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        else { throw ConfigError(.unreadable, "the password's file \(path) cannot be read; name another") }
        guard mode & 0o007 == 0 else {
            throw ConfigError(.insecure, "the password's file \(path) is open to everybody; say chmod o= \(path)")
        }
        guard let text = String(bytes: bytes.prefix(4096), encoding: .utf8) else {
            throw ConfigError(.unreadable, "the password's file \(path) has no text in it")
        }
        self.init(String(text.prefix { !$0.isNewline }))
        guard !self.text.isEmpty else {
            throw ConfigError(.unreadable, "the password's file \(path) begins with an empty line")
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
