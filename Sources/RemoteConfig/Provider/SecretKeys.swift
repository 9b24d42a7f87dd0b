// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The keys with secret values, by patterns.
///
/// In a pattern, `*` matches any characters, dots included, or none, and any other character matches itself; case is
/// significant, as in keys. All keys below a secret one are secret, and so is an object that has a secret member.
/// `*.password` matches `db.main.password`, and not `password`, which has no dot.
struct SecretKeys: Sendable {
    private let globs: [[UInt8]]

    /// Creates the set of keys that match any of the patterns.
    init(_ patterns: [String]) {
        globs = patterns.flatMap { $0.last == "*" ? [$0] : [$0, $0 + ".*"] }.map { Array($0.utf8) }
    }

    /// Whether the value of a key, or a member of it, is secret. An element of an array has the key of the array.
    func isSecret(_ value: EntryValue, ofKey key: String) -> Bool {
        !globs.isEmpty && (contains(key) || hasSecretMember(value, at: key))
    }

    // The recursion is bounded by the depth of a value.
    private func hasSecretMember(_ value: EntryValue, at key: String) -> Bool {
        switch value {
        case .object(let members):
            members.contains { isSecret($0.value, ofKey: key.isEmpty ? $0.key : key + "." + $0.key) }
        case .array(let elements): elements.contains { hasSecretMember($0, at: key) }
        default: false
        }
    }

    /// Whether the value of a key is secret.
    func contains(_ key: String) -> Bool {
        if globs.isEmpty { return false }
        var key = key
        return key.withUTF8 { key in globs.contains { Self.glob($0, fits: key) } }
    }

    /// Matches both in one pass; after a star that matched too little, it backtracks and lets it match one more.
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
