#if MariaDB
    internal import ConfigModel

    /// A value as the table `config` has it: a string is its own text, and everything else is JSON, which is said beside
    /// it.
    ///
    /// Texts that people have written are strings, unless the entry was something else before and the text is JSON of a
    /// value again: so a number that is edited by hand stays a number.
    struct StoredText: Hashable, Sendable {
        var text: String
        var isJSON: Bool

        init(_ value: ConfigValue) {
            switch value {
            case .string(let text): (self.text, isJSON) = (text, false)
            default: (text, isJSON) = (value.canonicalJSON, true)
            }
        }

        /// - Returns: `nil` for what is no value: none at all, or one that is too large.
        static func value(_ text: String?, isJSON: Bool) -> ConfigValue? {
            guard let text else { return nil }
            let value = (isJSON ? json(text) : nil) ?? .string(text)
            return value.canonicalJSON.utf8.count > ConfigValue.maximumBytes ? nil : value
        }

        private static func json(_ text: String) -> ConfigValue? {
            guard var scanner = try? JSONScanner(Array(text.utf8)), let value = try? scanner.value() else { return nil }
            scanner.skipWhitespace()
            return scanner.current == nil ? value : nil
        }
    }
#endif
