// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

extension TypedKey {
    /// The declaration of the definition as a static member, with its documentation.
    func declaration(_ name: String, of key: String, access: String) -> String {
        let comment = (summary ?? "The value of `\(key)`.").split(whereSeparator: \.isNewline).map { "    /// \($0)\n" }
            .joined()
        var lines = ["ConfigDefinition<\(type)>(\(SwiftText.literal(key)), default: \(literal(of: defaultValue)))"]
        if let summary { lines.append("    .described(\(SwiftText.literal(summary)))") }
        lines += (limitCalls + countCalls).map { "    .limited(by: \($0))" }
        return comment + "    \(access)static let \(name) = \(lines.joined(separator: "\n    "))\n"
    }

    private var type: String {
        switch form {
        case .plain: scalar.rawValue
        case .optional: "\(scalar.rawValue)?"
        case .array: "[\(scalar.rawValue)]"
        }
    }

    private func literal(of value: EntryValue) -> String {
        switch value {
        case .null: "nil"
        case .array(let elements): "[\(elements.map(literal).joined(separator: ", "))]"
        case .string(let text) where scalar == .color: "RGBColor(0x\(text.dropFirst()))"
        case .string(let text): SwiftText.literal(text)
        default: value.canonicalJSON
        }
    }

    private var countCalls: [String] {
        SwiftText.range(fewest.map { "\($0)" }, most.map { "\($0)" }).map { [".count(\($0))"] } ?? []
    }

    private var limitCalls: [String] {
        let bounds = SwiftText.range(limits.lowest.map(literal), limits.highest.map(literal)).map { ".range(\($0))" }
        let length = SwiftText.range(limits.shortest.map { "\($0)" }, limits.longest.map { "\($0)" })
            .map { ".length(\($0))" }
        let patterns = limits.patterns.map { ".pattern(\(SwiftText.literal($0)))" }
        var options: [String] = limits.options.map(literal)
        if !limits.optionNames.isEmpty {
            options = zip(limits.optionNames, options).map { "\(SwiftText.literal($0)): \($1)" }
        }
        let choice = options.isEmpty ? nil : ".options([\(options.joined(separator: ", "))])"
        let calls = [bounds, length].compactMap(\.self) + patterns + [choice].compactMap(\.self)
        switch form {
        case .plain: return calls
        case .optional: return calls.map { ".unlessNil(\($0))" }
        case .array: return calls.map { ".elements(\($0))" }
        }
    }
}

/// Texts of Swift.
enum SwiftText {
    private static let keywords: Set<String> = [
        "as", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
        "inout",
        "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
        "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try",
        "typealias", "var", "where", "while",
    ]

    /// The member for a key: `app.fun-button.text` is `appFunButtonText`.
    static func name(ofKey key: String) -> String {
        let parts = key.split { ".-_".contains($0) }
        let name = parts.enumerated().map { index, part in
            (index == 0 ? part.prefix(1).lowercased() : part.prefix(1).uppercased()) + part.dropFirst()
        }.joined()
        if keywords.contains(name) { return "`\(name)`" }
        return name.first?.isNumber == false ? name : "_\(name)"
    }

    /// A string literal.
    static func literal(_ text: String) -> String {
        let parts = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": #"\\"#
            case "\"": #"\""#
            case _ where scalar.isASCII ? scalar.value < 0x20 || scalar.value == 0x7F : !scalar.properties.isAlphabetic:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(parts.joined())\""
    }

    /// `0...1`, `1...` or `...80`; `nil` without bounds.
    static func range(_ lowest: String?, _ highest: String?) -> String? {
        if lowest == nil && highest == nil { return nil }
        // `...-` would be another operator.
        let bounds = [lowest, highest].map { bound in bound.map { $0.hasPrefix("-") ? "(\($0))" : $0 } ?? "" }
        return bounds.joined(separator: "...")
    }
}
