// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TextPatterns

/// The checks of a value by keywords that need no other nodes, within a budget of work, and what all checks have found.
struct KeywordChecks {
    private let maximumWork: Int
    private(set) var work = 0
    private(set) var isExhausted = false
    /// The findings of the whole, and of the branches that are being checked inside of it.
    private var findings = [Findings(limit: ConfigSchema.maximumViolations)]

    init(maximumWork: Int) { self.maximumWork = maximumWork }

    /// The result of checking a value by some part of the schema, so far.
    struct Findings {
        private(set) var isValid = true
        private(set) var violations: [SchemaViolation] = []
        /// The maximum number of violations; with 0 only whether there are any.
        let limit: Int

        init(limit: Int) { self.limit = limit }

        /// Whether no further check can change the result.
        var isComplete: Bool { !isValid && violations.count >= limit }

        mutating func add(_ violation: @autoclosure () -> SchemaViolation) {
            isValid = false
            if violations.count < limit { violations.append(violation()) }
        }
    }

    /// A part of a value, and the keyword that looks at it.
    struct Subject {
        let value: EntryValue
        let place: JSONPointer
        let keyword: SchemaKeyword
        let schema: JSONPointer

        func violation(_ detail: SchemaViolation.Detail = .none, causes: [SchemaViolation] = []) -> SchemaViolation {
            let keywordPlace = keyword.name.isEmpty ? schema : schema.appending(keyword.name)
            return SchemaViolation(
                keyword: keyword.name,
                limit: keyword.value,
                found: value,
                causes: causes,
                detail: detail,
                place: place,
                keywordPlace: keywordPlace
            )
        }
    }

    /// The cost of other work compared with a visit of a pattern's step, measured.
    enum Cost {
        static let node = 16
        static let keyword = 8
        /// Looking at a member or an element, or for one.
        static let part = 4
        /// Dividing a number.
        static let division = 32
        /// Writing or comparing a part of a value, by its ``EntryValue/weight``.
        static let weight = 16

        /// Looking a name up, which is compared with a few others.
        static func lookup(of name: String) -> Int { part + name.utf8.count / 4 }

        /// Counting characters, two bytes at a time.
        static func count(of value: EntryValue) -> Int {
            if case .string(let text) = value { text.utf8.count / 2 } else { 0 }
        }
    }

    /// Whether the remaining work allows a number of steps.
    mutating func spend(_ steps: Int) -> Bool {
        if isExhausted { return false }
        work += steps
        isExhausted = work > maximumWork
        return !isExhausted
    }

    /// The findings that checks add to.
    var current: Findings { findings[findings.count - 1] }

    mutating func add(_ violation: @autoclosure () -> SchemaViolation) {
        findings[findings.count - 1].add(violation())
    }

    /// Begins separate findings.
    ///
    /// - Parameter limit: how many violations are wanted.
    mutating func beginBranch(limit: Int) { findings.append(Findings(limit: limit)) }

    mutating func endBranch() -> Findings { findings.removeLast() }
}

extension KeywordChecks {
    /// Whether a text matches a pattern; not if that takes too much work.
    mutating func matches(_ text: String, _ pattern: TextPattern) -> Bool {
        guard !isExhausted else { return false }
        let search = pattern.search(text, withinWork: maximumWork - work)
        // Without work left, the search has no result, and the spent work exceeds the maximum.
        return spend(search.work) && search.isMatch == true
    }

    /// Checks by a keyword that needs no other nodes.
    mutating func check(_ subject: Subject) {
        let value = subject.value
        switch subject.keyword.rule {
        case .nothing: add(subject.violation())
        case .type(let types): if !types.contains(where: { $0.includes(value) }) { add(subject.violation()) }
        case .oneOfValues(let values):
            if spend(value.weight * Cost.weight), !values.contains(value) { add(subject.violation()) }
        case .constant(let weight):
            if spend(weight * Cost.weight), value != subject.keyword.value { add(subject.violation()) }
        case .multiple(let divisor):
            guard spend(Cost.division), let number = DecimalNumber(value) else { return }
            if !number.isMultiple(of: divisor) { add(subject.violation()) }
        case .bound(let bound, let limit):
            if let number = Double(configValue: value), !bound.allows(number, by: limit) { add(subject.violation()) }
        case .size(let bound, let limit):
            guard spend(Cost.count(of: value)), let count = bound.count(of: value), !bound.allows(count, by: limit)
            else { return }
            add(subject.violation(.count(count)))
        case .pattern(let pattern):
            if case .string(let text) = value, !matches(text, pattern), !isExhausted { add(subject.violation()) }
        case .format(let format):
            guard case .string(let text) = value, spend(text.utf8.count * ValueFormat.workPerByte) else { return }
            if !format.accepts(text) { add(subject.violation()) }
        default:
            switch value {
            case .array(let elements): check(subject, elements)
            case .object(let members): check(subject, members)
            default: break
            }
        }
    }

    private mutating func check(_ subject: Subject, _ elements: [EntryValue]) {
        switch subject.keyword.rule {
        case .elements(let prefix, _, let isClosed):
            if isClosed, elements.count > prefix.count { add(subject.violation(.tooManyElements(prefix.count))) }
        case .uniqueElements:
            guard spend(subject.value.weight * Cost.weight) else { return }
            var numbers: [EntryValue: Int] = [:]
            for (number, element) in elements.enumerated() {
                if let earlier = numbers.updateValue(number, forKey: element) {
                    return add(subject.violation(.equalElements(earlier, number)))
                }
            }
        default: break
        }
    }

    private mutating func check(_ subject: Subject, _ members: EntryObject) {
        switch subject.keyword.rule {
        case .required(let names):
            guard spend(names.reduce(0) { $0 + Cost.lookup(of: $1) }) else { return }
            for name in names where members.position(of: name) == nil { add(subject.violation(.missing(name))) }
        case .dependentRequired(let dependencies):
            for (name, needed) in dependencies {
                guard spend(Cost.lookup(of: name)) else { return }
                if members.position(of: name) == nil { continue }
                guard spend(needed.reduce(0) { $0 + Cost.lookup(of: $1) }) else { return }
                for other in needed where members.position(of: other) == nil {
                    add(subject.violation(.missingBeside(name, other)))
                }
            }
        default: break
        }
    }
}

extension EntryValue {
    /// The cost of comparing or hashing the value, compared with other steps of a check.
    var weight: Int {
        switch self {
        case .null, .boolean, .integer: 1
        // The shortest digits of a number are hashed.
        case .double: 16
        case .string(let text): 1 + text.utf8.count / 16
        case .array(let elements): elements.reduce(1) { $0 + $1.weight }
        case .object(let members): members.reduce(1) { $0 + 1 + $1.key.utf8.count / 16 + $1.value.weight }
        }
    }
}
