// SPDX-License-Identifier: Apache-2.0

/// The text of a Swift file, as far as its names go.
struct SourceText {
    /// The types that it declares at the top level.
    let declared: Set<String>
    /// The capitalised words in its code, which are the types that it may use.
    let mentioned: Set<String>
    /// The modules that it imports, on any platform.
    let imported: Set<String>

    /// How every source begins.
    static let licence = "// SPDX-License-Identifier: Apache-2.0\n\n"

    init(_ text: String) {
        let bytes = Array(text.trimmingPrefix(Self.licence).utf8)
        let lines = Self.codeOf(bytes).split(separator: UInt8(ascii: "\n")).map(Self.words)
        declared = Set(lines.compactMap(Self.declaredType))
        mentioned = Set(lines.joined().filter { $0.first?.isUppercase == true })
        imported = Set(lines.compactMap(Self.importedModule))
    }

    private static let kinds: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    /// The type that a line of words declares, if it begins at the margin.
    private static func declaredType(_ words: [String]) -> String? {
        guard let kind = words.firstIndex(where: kinds.contains), words.indices.contains(kind + 1) else { return nil }
        let name = words[kind + 1]
        let isDeclaration = words[..<kind].allSatisfy { $0.first?.isLowercase == true || $0.first == "@" }
        return isDeclaration && name.first?.isUppercase == true ? name : nil
    }

    /// The module that a line of words imports.
    private static func importedModule(_ words: [String]) -> String? {
        guard let place = words.firstIndex(of: "import"), words.indices.contains(place + 1) else { return nil }
        let isImport = words[..<place].allSatisfy { $0.isEmpty || $0 == "@_exported" || levels.contains($0) }
        return isImport ? words[place + 1] : nil
    }

    private static let levels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]

    /// The words of a line. The first of one that is indented is empty.
    private static func words(_ line: ArraySlice<UInt8>) -> [String] {
        let isIndented = line.first == UInt8(ascii: " ")
        let words = line.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"): false
            default: true
            }
        }
        return (isIndented ? [""] : []) + words.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The code without comments and strings. What is interpolated into a string is lost, which is rarely a type.
    private static func codeOf(_ text: [UInt8]) -> [UInt8] {
        var code: [UInt8] = []
        var place = 0
        while place < text.count {
            let rest = text[place...]
            if rest.starts(with: "//".utf8) {
                place = rest.firstIndex(of: UInt8(ascii: "\n")) ?? text.count
            } else if rest.starts(with: "\"\"\"".utf8) {
                place = end(of: text, from: place + 3, at: "\"\"\"")
            } else if rest.starts(with: "\"".utf8) {
                place = end(of: text, from: place + 1, at: "\"")
            } else {
                code.append(text[place])
                place += 1
            }
        }
        return code
    }

    /// The place behind a string.
    private static func end(of text: [UInt8], from start: Int, at quotes: String) -> Int {
        var place = start
        while place < text.count, !text[place...].starts(with: quotes.utf8) {
            place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + quotes.utf8.count, text.count)
    }
}
