// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Files

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
    /// - Throws: `ConfigError` if the file cannot be read, begins with an empty line, or is readable by
    ///   others than its owner and the groups of this process.
    public init(file path: String) throws(ConfigError) {
        try ConfigError.catching(try PrivateFile.checkIsOfService(path, "the password file"))
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileContent.bytes(at: path, atMost: 65_536)
        } catch {
            throw ConfigError(.unreadable, "cannot read the password file \(path): \(error)", underlying: error)
        }
        guard let text = String(validating: bytes.prefix(4096), as: UTF8.self) else {
            throw ConfigError(.unreadable, "the password file \(path) is not valid UTF-8")
        }
        self.init(String(text.prefix { !$0.isNewline }))
        guard !self.text.isEmpty else {
            throw ConfigError(.unreadable, "the first line of the password file \(path) is empty")
        }
    }
}

extension StorePassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder for the password.
    public var description: String { "(a password)" }
    /// A placeholder for the password.
    public var debugDescription: String { description }
    /// A placeholder for the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
