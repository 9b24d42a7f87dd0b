// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// A condition of a Firebase template as an operation of a rule.
///
/// The expression is a list of comparisons joined by `&&`
/// (https://firebase.google.com/docs/remote-config/condition-reference). They read attributes of the context: `platform`,
/// `version`, `build`, `region` and `language`.
struct FirebaseCondition {
    let operation: EntryValue
    /// Whether it selects a share of the users, which are other users than Firebase's.
    private(set) var isPercent = false
    /// The attributes that it reads.
    private(set) var attributes: Set<String> = []

    /// The reason why an expression is no operation of a rule.
    struct Unsupported: Error {
        let reason: String
    }

    init(_ expression: String) throws(Unsupported) {
        var reader = FirebaseExpressionReader(tokens: try FirebaseToken.all(in: expression)[...])
        var parts = [try reader.comparison()]
        while reader.skip("&&") { parts.append(try reader.comparison()) }
        guard reader.tokens.isEmpty else { throw Unsupported(reason: "only '&&' can join comparisons") }
        operation = parts.count == 1 ? parts[0] : ["and": .array(parts)]
        (isPercent, attributes) = (reader.hasPercent, reader.attributes)
    }
}

/// A token of an expression. A dot belongs to a word: `app.version.` is one, with the operator `>=` after it.
private enum FirebaseToken: Equatable {
    case word(String)
    case text(String)
    case number(String)
    case symbol(String)

    static func all(in expression: String) throws(FirebaseCondition.Unsupported) -> [FirebaseToken] {
        var (tokens, rest): ([FirebaseToken], Substring) = ([], expression[...])
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "'" || first == "\"" {
                guard let end = rest.dropFirst().firstIndex(of: first) else {
                    throw FirebaseCondition.Unsupported(reason: "a quote is not closed")
                }
                tokens.append(.text(String(rest[rest.index(after: rest.startIndex)..<end])))
                rest = rest[rest.index(after: end)...]
            } else if first.isLetter {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
                tokens.append(.word(String(word)))
                rest = rest.dropFirst(word.count)
            } else if first.isNumber {
                let number = rest.prefix { $0.isNumber || $0 == "." }
                tokens.append(.number(String(number)))
                rest = rest.dropFirst(number.count)
            } else {
                let symbol = ["&&", "||", "==", "!=", "<=", ">="].first { rest.hasPrefix($0) } ?? String(first)
                tokens.append(.symbol(symbol))
                rest = rest.dropFirst(symbol.count)
            }
        }
        return tokens
    }
}

/// Reads the comparisons of an expression.
private struct FirebaseExpressionReader {
    typealias Unsupported = FirebaseCondition.Unsupported

    private(set) var tokens: ArraySlice<FirebaseToken>
    private(set) var hasPercent = false
    private(set) var attributes: Set<String> = []

    init(tokens: ArraySlice<FirebaseToken>) { self.tokens = tokens }

    mutating func skip(_ symbol: String) -> Bool {
        guard tokens.first == .symbol(symbol) else { return false }
        tokens.removeFirst()
        return true
    }

    mutating func comparison() throws(Unsupported) -> EntryValue {
        guard case .word(let word)? = tokens.popFirst() else { throw Self.unknown }
        switch word {
        case "true", "false": return .boolean(word == "true")
        case "device.os": return try platform()
        case "device.country":
            return ["in": [variable("region"), .array(try texts(after: "in").map { .string($0.uppercased()) })]]
        case "device.language":
            let languages = try texts(after: "in").map { (text) throws(Unsupported) in try language(text) }
            return languages.count == 1 ? languages[0] : ["or": .array(languages)]
        case "dateTime", "device.dateTime": return try time()
        case "percent": return try percent()
        default: break
        }
        if let method = word.suffix(after: "app.version.") { return try version(of: variable("version"), method) }
        // The build is a text or a number in the context.
        if let method = word.suffix(after: "app.build.") { return try version(of: variable("build"), method) }
        throw Self.reasons.first { word.hasPrefix($0.word) }.map { Unsupported(reason: $0.reason) } ?? Self.unknown
    }

    private static let unknown = Unsupported(reason: "unknown expression")
    private static let reasons = [
        ("app.userProperty", "user properties"), ("app.audiences", "audiences"),
        ("app.firstOpenTimestamp", "the first open"), ("firstOpenTimestamp", "the first open"),
        ("app.firebaseInstallationId", "installation IDs"), ("firebaseInstallationId", "installation IDs"),
        ("app.customSignal", "custom signals"), ("version", "custom signals"), ("app.id", "app IDs"),
        ("app.operatingSystemAndVersion", "versions of the operating system"),
        ("app.browserAndVersion", "versions of the browser"), ("app.importedSegment", "imported segments"),
    ].map { (word: $0, reason: "a rule has no \($1)") }

    private mutating func variable(_ name: String) -> EntryValue {
        attributes.insert(name)
        return ["var": .string(name)]
    }

    private mutating func symbol() throws(Unsupported) -> String {
        guard case .symbol(let symbol)? = tokens.popFirst() else { throw Self.unknown }
        return symbol
    }

    private mutating func text() throws(Unsupported) -> String {
        guard case .text(let text)? = tokens.popFirst() else { throw Self.unknown }
        return text
    }

    /// `['a', 'b']`, with or without a word before it.
    private mutating func texts(after word: String? = nil) throws(Unsupported) -> [String] {
        if let word, tokens.popFirst() != .word(word) { throw Self.unknown }
        guard skip("[") else { throw Self.unknown }
        var texts = [try text()]
        while skip(",") { texts.append(try text()) }
        guard skip("]") else { throw Self.unknown }
        return texts
    }

    private mutating func platform() throws(Unsupported) -> EntryValue {
        let (name, platform) = (try symbol(), variable("platform"))
        let system = EntryValue.string(try text())
        switch name {
        case "==": return ["==": [platform, system]]
        // A user without the attribute is in no condition.
        case "!=": return ["and": [platform, ["!=": [platform, system]]]]
        default: throw Self.unknown
        }
    }

    /// `es` is the language in any region; `es-MX` and `es-419` are a language with a region.
    private mutating func language(_ text: String) throws(Unsupported) -> EntryValue {
        let parts = text.split { $0 == "-" || $0 == "_" }.map(String.init)
        let isRegion =
            parts.count == 2 && (parts[1].utf8.count == 2 || parts[1].utf8.count == 3 && UInt(parts[1]) != nil)
        guard parts.count == 1 || isRegion else {
            throw Unsupported(reason: "a rule has no scripts of languages, such as \(text)")
        }
        let language: EntryValue = ["==": [variable("language"), .string(parts[0].lowercased())]]
        if parts.count == 1 { return language }
        return ["and": [language, ["==": [variable("region"), .string(parts[1].uppercased())]]]]
    }

    /// `.>=(['2.1.0'])`, `.contains(['beta'])` and similar.
    private mutating func version(of attribute: EntryValue, _ method: String) throws(Unsupported) -> EntryValue {
        let name = method.isEmpty ? try symbol() : method
        guard skip("(") else { throw Self.unknown }
        let versions = try texts()
        guard skip(")") else { throw Self.unknown }
        // A number as a text.
        let text: EntryValue = ["cat": [attribute]]
        let isContained: EntryValue = ["or": .array(versions.map { ["in": [.string($0), text]] })]
        switch name {
        case "<", "<=", ">", ">=", "==", "!=":
            guard versions.count == 1 else { throw Self.unknown }
            return ["sem_ver": [attribute, .string(name == "==" ? "=" : name), .string(versions[0])]]
        case "exactlyMatches": return ["in": [text, .array(versions.map { .string($0) })]]
        case "contains": return isContained
        case "notContains": return ["and": [attribute, ["!": [isContained]]]]
        case "matches": throw Unsupported(reason: "a rule has no regular expressions")
        default: throw Self.unknown
        }
    }

    /// `< dateTime('2026-12-24T00:00:00', 'America/Los_Angeles')`, in UTC without a zone.
    private mutating func time() throws(Unsupported) -> EntryValue {
        let name = try symbol()
        guard ["<", "<=", ">", ">=", "=="].contains(name), tokens.popFirst() == .word("dateTime"), skip("(") else {
            throw Self.unknown
        }
        let clock = try text()
        let zone = skip(",") ? try text() : "UTC"
        guard skip(")"), let local = Timestamp(clock + "Z") ?? Timestamp(clock) ?? Timestamp(clock + ":00Z") else {
            throw Self.unknown
        }
        guard let rule = ["UTC", "GMT"].contains(zone) ? TimeZoneRule.utc : TimeZoneRule(named: zone) else {
            throw Unsupported(reason: "this system does not know the time zone \(zone.excerpt(ofScalars: 60))")
        }
        let operands: EntryValue = [["var": "$flagd.timestamp"], .integer(rule.seconds(ofLocal: local))]
        return .object(EntryObject([(name, operands)]))
    }

    /// `percent <= 10`, `percent('seed') > 50`, `percent between 10 and 20`: the lower limit is not included.
    private mutating func percent() throws(Unsupported) -> EntryValue {
        var seed = ""
        if skip("(") {
            seed = try text()
            guard skip(")") else { throw Self.unknown }
        }
        let (lower, upper): (String, String)
        switch tokens.popFirst() {
        case .symbol("<=")?, .symbol("<")?: (lower, upper) = ("0", try number())
        case .symbol(">")?, .symbol(">=")?: (lower, upper) = (try number(), "100")
        case .word("between")?:
            lower = try number()
            guard tokens.popFirst() == .word("and") else { throw Self.unknown }
            upper = try number()
        default: throw Self.unknown
        }
        hasPercent = true
        return try Self.split(lower, upper, seed: seed)
    }

    private mutating func number() throws(Unsupported) -> String {
        guard case .number(let number)? = tokens.popFirst() else { throw Self.unknown }
        return number
    }

    /// True for the users of a share, and the same ones in each rule with this condition.
    private static func split(_ lower: String, _ upper: String, seed: String) throws(Unsupported) -> EntryValue {
        let digits = [lower, upper].map { $0.split(separator: ".").dropFirst().first?.count ?? 0 }.max() ?? 0
        guard digits <= 6, let low = Double(lower), let high = Double(upper), 0 <= low, low <= high, high <= 100 else {
            throw unknown
        }
        let unit = (0..<digits).reduce(1.0) { product, _ in product * 10 }
        let limits = [low, high, 100].map { Int(($0 * unit).rounded()) }
        let parts = [(false, limits[0]), (true, limits[1] - limits[0]), (false, limits[2] - limits[1])]
        let weights: [EntryValue] = parts.filter { $1 > 0 }.map { [.boolean($0), .integer($1)] }
        let user: EntryValue = ["var": "targetingKey"]
        if seed.isEmpty { return ["fractional": .array([user] + weights)] }
        return ["and": [user, ["fractional": .array([["cat": [.string(seed), user]]] + weights)]]]
    }
}

extension String {
    /// The rest after a prefix; `nil` without it.
    fileprivate func suffix(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
