// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension SchemaViolation {
    /// The violation, as one sentence without a full stop, of at most 400 characters for one line of a terminal.
    ///
    /// ```
    /// "pink" is not a colour such as #FFB6C1
    /// ```
    public var message: String {
        let sentence = sentenceOfDetail ?? sentenceOfKeyword
        return sentence.unicodeScalars.count <= 400 ? sentence : sentence.excerpt(ofScalars: 399) + "…"
    }

    private var sentenceOfDetail: String? {
        switch detail {
        case .none: nil
        case .count(let count): sentence(ofCount: count)
        case .equalElements(let first, let second): "duplicate elements \(first) and \(second) in the array"
        case .tooManyElements(let count): "the array has more than \(count) elements"
        case .matches(let count, let atLeast, let atMost): sentence(ofMatches: count, atLeast, atMost)
        case .missing(let name): "the member \(Self.shown(name)) is missing"
        case .missingBeside(let name, let other):
            "the member \(Self.shown(other)) is missing; \(Self.shown(name)) requires it"
        case .unknownMember(let name, let known): sentence(ofUnknownMember: name, known)
        case .name(let name):
            "the name \(Self.shown(name)) is not allowed" + (causes.first.map { ": " + $0.message } ?? "")
        case .nearest(let branch, let count): sentence(ofNearest: branch, of: count)
        case .fitting(let branches):
            """
            the value matches schemas \(Self.listed(branches.map { String($0 + 1) })) of 'oneOf' instead of exactly \
            one
            """
        case .tooMuchWork: "validating the value exceeds the step limit; simplify the value or the schema"
        case .publishTooCostly:
            "validating the values exceeds the step limit; publish fewer at once, or simplify the schemas"
        }
    }

    private var sentenceOfKeyword: String {
        let (found, limit) = (Self.shown(found), Self.shown(limit))
        return switch keyword {
        case "type": "\(found) is \(kind), not \(wantedTypes)"
        case "enum": "\(found) is not one of \(wantedValues)"
        case "const": "\(found) is not \(limit)"
        case "minimum": "\(found) is less than \(limit)"
        case "maximum": "\(found) is more than \(limit)"
        case "exclusiveMinimum": "\(found) is not more than \(limit)"
        case "exclusiveMaximum": "\(found) is not less than \(limit)"
        case "multipleOf": "\(found) is not a multiple of \(limit)"
        case "pattern":
            "\(found) does not match the pattern \(String(configValue: self.limit)?.excerpt(ofScalars: 100) ?? "")"
        case "format": "\(found) is not \(wantedFormat)"
        case "not": "\(found) matches the schema of 'not'"
        default: "no value is allowed here, found \(found)"
        }
    }

    private func sentence(ofCount count: Int) -> String {
        let limit = Self.shown(limit)
        return switch keyword {
        case "minLength": "\(Self.shown(found)) has \(count) characters, fewer than \(limit)"
        case "maxLength": "\(Self.shown(found)) has \(count) characters, more than \(limit)"
        case "minItems": "the array has \(count) elements, fewer than \(limit)"
        case "maxItems": "the array has \(count) elements, more than \(limit)"
        case "minProperties": "the object has \(count) members, fewer than \(limit)"
        default: "the object has \(count) members, more than \(limit)"
        }
    }

    private func sentence(ofMatches count: Int, _ atLeast: Int, _ atMost: Int?) -> String {
        if count == 0, atLeast == 1 { return "no element of the array matches 'contains'" }
        if let atMost, count > atMost { return "more than \(atMost) elements of the array match 'contains'" }
        return "only \(count) elements of the array match 'contains', fewer than \(atLeast)"
    }

    private func sentence(ofUnknownMember name: String, _ known: [String]) -> String {
        let others = known.isEmpty ? "" : "; allowed: \(Self.listed(known.prefix(11).map(Self.shown)))"
        return "the member \(Self.shown(name)) is not in the schema" + others
    }

    private func sentence(ofNearest branch: Int?, of count: Int) -> String {
        let start = "the value matches none of the \(count) schemas of '\(keyword)'"
        guard let branch, !causes.isEmpty else { return start }
        let depth = pointer.unicodeScalars.count
        let sentences = causes.prefix(3).map { cause in
            let rest = String(cause.pointer.unicodeScalars.dropFirst(depth)).excerpt(ofScalars: 60)
            return rest.isEmpty ? cause.message : "\(rest): \(cause.message)"
        }
        return "\(start); schema \(branch + 1): \(sentences.joined(separator: "; "))"
    }

    private var kind: String {
        found == .null || found == .array([]) ? found.kindName : found.kindName.withArticle
    }

    private var wantedTypes: String {
        let names = if case .array(let names) = limit { names } else { [limit] }
        return Self.listed(
            names.compactMap { String(configValue: $0) }.map { name in
                name == "null" ? name : name == "boolean" ? "a Boolean" : name.withArticle
            },
            by: "or"
        )
    }

    private var wantedValues: String {
        guard case .array(let values) = limit else { return "" }
        return Self.listed(values.prefix(11).map(Self.shown), by: "or")
    }

    private var wantedFormat: String {
        String(configValue: limit).flatMap(ValueFormat.init)?.displayName.withArticle ?? "in the expected format"
    }

    /// The start of a value as JSON.
    private static func shown(_ value: EntryValue) -> String {
        let text = value.beginning(ofScalars: 60).canonicalJSON
        return text.unicodeScalars.count <= 60 ? text.excerpt(ofScalars: 60) : text.excerpt(ofScalars: 59) + "…"
    }

    private static func shown(_ name: String) -> String { shown(.string(name)) }

    /// `a, b and c`, limited to ten items.
    private static func listed(_ items: [String], by word: String = "and") -> String {
        let items = items.count > 10 ? items.prefix(10) + ["others"] : items
        guard items.count > 1, let last = items.last else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + " \(word) " + last
    }
}

extension EntryValue {
    /// A value whose canonical JSON begins with the same scalars, and is not much longer.
    fileprivate func beginning(ofScalars count: Int) -> EntryValue {
        switch self {
        case .string(let text):
            return text.utf8.count <= count ? self : .string(String(text.unicodeScalars.prefix(count)))
        case .array(let elements):
            // Each element takes two scalars or more.
            var (beginning, rest): ([EntryValue], Int) = ([], count)
            for element in elements where rest > 0 {
                beginning.append(element.beginning(ofScalars: rest))
                rest -= beginning.last.map { $0.canonicalByteCount / 4 + 1 } ?? 0
            }
            return .array(beginning)
        case .object(let members):
            var (beginning, rest): ([EntryObject.Member], Int) = ([], count)
            for (name, value) in members where rest > 0 {
                let member = (key: name, value: value.beginning(ofScalars: rest))
                beginning.append(member)
                rest -= name.utf8.count / 4 + member.value.canonicalByteCount / 4 + 1
            }
            return .object(EntryObject(beginning))
        default: return self
        }
    }
}
