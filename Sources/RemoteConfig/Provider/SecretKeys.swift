// SPDX-License-Identifier: Apache-2.0

/// Which keys hold secrets, by patterns.
///
/// In a pattern, `*` stands for any characters, dots included, or for none, and everything else for itself; upper and
/// lower case differ, as they do in keys.
///
/// ```swift
/// let secrets: SecretKeys = ["*.password", "payment.*", "token"]
/// secrets.contains("db.main.password")  // true
/// secrets.contains("password")          // false: the pattern has a dot
/// ```
public struct SecretKeys: Hashable, Sendable {
    /// The patterns as they were given.
    public let patterns: [String]
    private let globs: [[UInt8]]

    /// No key at all.
    public static let none = SecretKeys([])

    /// Creates a choice of keys: those that fit to any of the patterns.
    public init(_ patterns: [String]) {
        self.patterns = patterns
        globs = patterns.map { Array($0.utf8) }
    }

    /// Whether a key holds a secret.
    public func contains(_ key: String) -> Bool {
        if globs.isEmpty { return false }
        var key = key
        return key.withUTF8 { key in globs.contains { Self.glob($0, fits: key) } }
    }

    /// Goes through both at once; behind a star that took too little, it goes back and lets it take one more.
    private static func glob(_ glob: [UInt8], fits key: UnsafeBufferPointer<UInt8>) -> Bool {
        var (inGlob, inKey) = (0, 0)
        var retry: (inGlob: Int, inKey: Int)?
        while inKey < key.count {
            if inGlob < glob.count, glob[inGlob] == UInt8(ascii: "*") {
                inGlob += 1
                retry = (inGlob, inKey)
            } else if inGlob < glob.count, glob[inGlob] == key[inKey] {
                inGlob += 1
                inKey += 1
            } else if let last = retry {
                (inGlob, inKey) = (last.inGlob, last.inKey + 1)
                retry = (inGlob, inKey)
            } else {
                return false
            }
        }
        return glob[inGlob...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension SecretKeys: ExpressibleByArrayLiteral {
    /// Creates a choice from patterns.
    public init(arrayLiteral elements: String...) {
        self.init(elements)
    }
}
