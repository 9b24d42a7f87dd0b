// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigModel

/// The format of a file that is imported.
enum ImportFormat: String, CaseIterable, ExpressibleByArgument {
    /// A document of Livery's own: plain or exact.
    case livery
    /// A flag definition file of flagd (https://flagd.dev/reference/flag-definitions).
    case flagd
    /// A template of Firebase Remote Config.
    case firebase
}

/// A file of another product, read as keys with values and rules.
protocol FlagFile {
    /// The name of a key in the other product.
    static var part: String { get }
    var values: [String: EntryValue] { get }
    /// The rules of keys, and the shared evaluators.
    var rules: [String: EntryValue] { get }
    /// Values for keys that have none.
    var defaults: [String: EntryValue] { get }
    /// The flags that cannot be stored.
    var leftOut: LeftOutKeys { get }
    /// The parts of flags that are not imported, each with its key and the reason.
    var ignored: [String] { get }
    /// Remarks on parts that are imported with another meaning than in the other product.
    var notes: [String] { get }
}

extension FlagFile {
    var defaults: [String: EntryValue] { [:] }
}

extension DocumentContents {
    init(of file: some FlagFile) {
        let contents = NamespaceContents(values: file.values, rules: file.rules)
        self.init(contents: contents, kinds: [.value, .rule], defaults: file.defaults)
    }
}

extension ConfigError {
    static func tooLargeRule(ofKey key: String, at location: TextLocation?) -> ConfigError {
        let size = EntryValue.maximumBytes
        let message = "the rule is larger than \(size) bytes; store large values elsewhere and set their URLs"
        return ConfigError(.tooLarge, message, location: location, key: key)
    }
}

extension [ConfigError] {
    /// By their places; those without a place stay where they are.
    var inOrderOfLines: [ConfigError] {
        sorted { left, right in
            guard let left = left.location, let right = right.location else { return false }
            return (left.line, left.column) < (right.line, right.column)
        }
    }
}
