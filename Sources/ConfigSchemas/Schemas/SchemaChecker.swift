// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TextPatterns

/// Checks one value by the nodes of a schema, within a budget of work.
struct SchemaChecker {
    private let nodes: [SchemaNode]
    private let maximumWork: Int
    private(set) var work = 0
    private var depth = 0
    private var isExhausted = false

    /// How many nodes may check parts of a value in one another: the levels of a value, with some schemas for each.
    private static let maximumDepth = 256

    /// How many violations are kept of one branch of `anyOf` or `oneOf`.
    private static let maximumCauses = 10

    init(_ nodes: [SchemaNode], maximumWork: Int) { (self.nodes, self.maximumWork) = (nodes, maximumWork) }

    mutating func violations(of value: EntryValue) -> [SchemaViolation] {
        var findings = Findings(limit: ConfigSchema.maximumViolations)
        check(value, at: .root, by: 0, &findings)
        return isExhausted ? [.tooMuchWork(value)] : findings.violations
    }

    /// What has been found out about a value by some part of the schema.
    struct Findings {
        private(set) var isValid = true
        private(set) var violations: [SchemaViolation] = []
        /// How many violations are wanted; with 0 only whether there are any.
        let limit: Int

        init(limit: Int) { self.limit = limit }

        /// Whether nothing more is to be found out.
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

    /// What other work costs beside a visit of a pattern's step, measured.
    private enum Cost {
        static let node = 4
        static let keyword = 8
        /// Looking a name up.
        static let name = 4
        /// Dividing a number.
        static let division = 32
        /// Writing or comparing a part of a value, by its ``EntryValue/weight``.
        static let part = 16
        /// A byte of a text whose format is checked.
        static let formattedByte = 8

        /// Counting characters, two bytes at a time.
        static func count(of value: EntryValue) -> Int {
            if case .string(let text) = value { text.utf8.count / 2 } else { 0 }
        }
    }

    /// Whether there is work left for so many steps.
    private mutating func spend(_ steps: Int) -> Bool {
        if isExhausted { return false }
        work += steps
        isExhausted = work > maximumWork
        return !isExhausted
    }

    private mutating func check(_ value: EntryValue, at place: JSONPointer, by index: Int, _ findings: inout Findings) {
        guard depth < Self.maximumDepth else { return isExhausted = true }
        guard spend(Cost.node) else { return }
        depth += 1
        defer { depth -= 1 }
        let node = nodes[index]
        for keyword in node.keywords {
            guard !findings.isComplete, spend(Cost.keyword) else { return }
            check(Subject(value: value, place: place, keyword: keyword, schema: node.place), &findings)
        }
    }

    private mutating func isValid(_ value: EntryValue, by node: Int) -> Bool {
        var findings = Findings(limit: 0)
        check(value, at: .root, by: node, &findings)
        return findings.isValid
    }

    private mutating func check(_ subject: Subject, _ findings: inout Findings) {
        switch subject.keyword.rule {
        case .all(let nodes): for node in nodes { check(subject.value, at: subject.place, by: node, &findings) }
        case .reference(let node): check(subject.value, at: subject.place, by: node, &findings)
        case .any(let nodes): checkAlternatives(subject, nodes, isOnlyOne: false, &findings)
        case .one(let nodes): checkAlternatives(subject, nodes, isOnlyOne: true, &findings)
        case .not(let node): if isValid(subject.value, by: node) { findings.add(subject.violation()) }
        case .condition(let condition, let then, let otherwise):
            if let node = isValid(subject.value, by: condition) ? then : otherwise {
                check(subject.value, at: subject.place, by: node, &findings)
            }
        default:
            switch subject.value {
            case .array(let elements): check(elements, subject, &findings)
            case .object(let members): check(members, subject, &findings)
            default: break
            }
            checkWhole(subject, &findings)
        }
    }

    private mutating func checkAlternatives(
        _ subject: Subject,
        _ nodes: [Int],
        isOnlyOne: Bool,
        _ findings: inout Findings
    ) {
        var (fitting, failed): ([Int], [(number: Int, causes: [SchemaViolation])]) = ([], [])
        for (number, node) in nodes.enumerated() {
            var branch = Findings(limit: findings.limit == 0 ? 0 : Self.maximumCauses)
            check(subject.value, at: subject.place, by: node, &branch)
            if isExhausted || branch.isValid && !isOnlyOne { return }
            if branch.isValid { fitting.append(number) } else { failed.append((number, branch.violations)) }
        }
        if fitting.isEmpty {
            let nearest = SchemaViolation.nearest(failed, at: subject.place)
            let detail = SchemaViolation.Detail.nearest(nearest?.number, of: nodes.count)
            findings.add(subject.violation(detail, causes: nearest?.causes ?? []))
        } else if fitting.count > 1 {
            findings.add(subject.violation(.fitting(fitting)))
        }
    }

    private mutating func check(_ elements: [EntryValue], _ subject: Subject, _ findings: inout Findings) {
        switch subject.keyword.rule {
        case .elements(let prefix, let rest, let isClosed):
            if isClosed, elements.count > prefix.count {
                findings.add(subject.violation(.tooManyElements(prefix.count)))
            }
            for (number, element) in elements.enumerated() {
                guard let node = number < prefix.count ? prefix[number] : isClosed ? nil : rest else { break }
                guard !findings.isComplete, !isExhausted else { return }
                check(element, at: subject.place.appending(number), by: node, &findings)
            }
        case .contains(let node):
            for element in elements where isExhausted || isValid(element, by: node) { return }
            findings.add(subject.violation())
        case .uniqueElements:
            guard spend(subject.value.weight * Cost.part) else { return }
            var numbers: [EntryValue: Int] = [:]
            for (number, element) in elements.enumerated() {
                if let earlier = numbers.updateValue(number, forKey: element) {
                    return findings.add(subject.violation(.equalElements(earlier, number)))
                }
            }
        default: break
        }
    }

    private mutating func check(_ members: EntryObject, _ subject: Subject, _ findings: inout Findings) {
        switch subject.keyword.rule {
        case .members(let rules): check(members, by: rules, subject, &findings)
        case .memberNames(let node):
            for (name, _) in members {
                guard !findings.isComplete, !isExhausted else { return }
                var finding = Findings(limit: min(findings.limit, 1))
                check(.string(name), at: subject.place, by: node, &finding)
                if !finding.isValid { findings.add(subject.violation(.name(name), causes: finding.violations)) }
            }
        case .required(let names):
            guard spend(names.count * Cost.name) else { return }
            for name in names where members[name] == nil { findings.add(subject.violation(.missing(name))) }
        case .dependentRequired(let dependencies):
            for (name, needed) in dependencies where spend(Cost.name) && members[name] != nil {
                guard spend(needed.count * Cost.name) else { return }
                for other in needed where members[other] == nil {
                    findings.add(subject.violation(.missingBeside(name, other)))
                }
            }
        default: break
        }
    }

    private mutating func check(
        _ members: EntryObject,
        by rules: MemberRules,
        _ subject: Subject,
        _ findings: inout Findings
    ) {
        guard spend(rules.named.count * Cost.name) else { return }
        for (name, node) in rules.named {
            guard let value = members[name] else { continue }
            guard !findings.isComplete, !isExhausted else { return }
            check(value, at: subject.place.appending(name), by: node, &findings)
        }
        if rules.patterns.isEmpty, rules.additional == nil { return }
        for (name, value) in members {
            guard !findings.isComplete, spend(Cost.name) else { return }
            let place = subject.place.appending(name)
            var isKnown = rules.declared[name] != nil
            for (pattern, node) in rules.patterns where matches(name, pattern) {
                isKnown = true
                check(value, at: place, by: node, &findings)
            }
            guard !isKnown, let node = rules.additional else { continue }
            if rules.isClosed {
                let names = rules.declared.map(\.key)
                let member = Subject(value: value, place: place, keyword: subject.keyword, schema: subject.schema)
                findings.add(member.violation(.unknownMember(name, known: names)))
            } else {
                check(value, at: place, by: node, &findings)
            }
        }
    }

    private mutating func matches(_ text: String, _ pattern: TextPattern) -> Bool {
        guard !isExhausted else { return false }
        let search = pattern.search(text, withinWork: maximumWork - work)
        // Out of work, the search has no result, and what was spent says so.
        return spend(search.work) && search.isMatch == true
    }

    /// Checks by a keyword that looks at a value as a whole.
    private mutating func checkWhole(_ subject: Subject, _ findings: inout Findings) {
        let value = subject.value
        switch subject.keyword.rule {
        case .nothing: findings.add(subject.violation())
        case .type(let types): if !types.contains(where: { $0.includes(value) }) { findings.add(subject.violation()) }
        case .oneOfValues(let values):
            if spend(value.weight * Cost.part), !values.contains(value) { findings.add(subject.violation()) }
        case .constant(let weight):
            if spend(weight * Cost.part), value != subject.keyword.value { findings.add(subject.violation()) }
        case .multiple(let divisor):
            guard spend(Cost.division), let number = DecimalNumber(value) else { return }
            if !number.isMultiple(of: divisor) { findings.add(subject.violation()) }
        case .bound(let bound, let limit):
            if let number = Double(configValue: value), !bound.allows(number, by: limit) {
                findings.add(subject.violation())
            }
        case .size(let bound, let limit):
            guard spend(Cost.count(of: value)), let count = bound.count(of: value), !bound.allows(count, by: limit)
            else { return }
            findings.add(subject.violation(.count(count)))
        case .pattern(let pattern):
            if case .string(let text) = value, !matches(text, pattern) { findings.add(subject.violation()) }
        case .format(let format):
            guard case .string(let text) = value, spend(text.utf8.count * Cost.formattedByte) else { return }
            if !format.accepts(text) { findings.add(subject.violation()) }
        default: break
        }
    }
}

extension EntryValue {
    /// What it costs to compare or hash the value, beside other steps of a check.
    var weight: Int {
        switch self {
        case .null, .boolean, .integer, .double: 1
        case .string(let text): 1 + text.utf8.count / 16
        case .array(let elements): elements.reduce(1) { $0 + $1.weight }
        case .object(let members): members.reduce(1) { $0 + 1 + $1.key.utf8.count / 16 + $1.value.weight }
        }
    }
}
