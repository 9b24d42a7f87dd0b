// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TextPatterns

/// Checks one value by the nodes of a schema, within a budget of work: leads from each node to those of its parts, and has
/// ``KeywordChecks`` do what needs no other nodes.
///
/// The nodes that check parts of a value in one another are a stack of frames, not calls, so that only the budget limits how
/// many there are.
struct SchemaChecker {
    private typealias Cost = KeywordChecks.Cost

    private let program: SchemaProgram
    private var checks: KeywordChecks
    private var frames: [Frame] = []
    /// The resources of the frames, the outermost first, as far as `$dynamicRef` depends on them.
    private var scope: [Int] = []

    /// The maximum number of violations kept per branch of `anyOf` or `oneOf`.
    private static let maximumCauses = 10

    init(_ program: SchemaProgram, maximumWork: Int) {
        self.program = program
        checks = KeywordChecks(maximumWork: maximumWork)
    }

    /// The work that was spent.
    var work: Int { checks.work }

    mutating func violations(of value: EntryValue) -> [SchemaViolation] {
        push(frame(of: 0, value, at: .root))
        while !checks.isExhausted, var frame = frames.popLast() {
            if let child = advance(&frame) {
                frames.append(frame)
                push(child)
            } else {
                finish(frame)
            }
        }
        return checks.isExhausted ? [.tooMuchWork(value, limit: ConfigSchema.maximumWork)] : checks.current.violations
    }
}

/// The nodes of a schema.
struct SchemaProgram {
    let nodes: [SchemaNode]
    let dynamicAnchors: DynamicAnchors
}

// The parts of a check.
extension SchemaChecker {
    /// The check of a part of the value by a node, as far as it has come.
    private struct Frame {
        let node: Int
        let value: EntryValue
        let place: JSONPointer
        /// Whether the parts that keywords evaluate are noted, for a keyword that depends on it.
        let notesParts: Bool
        /// Whether the findings are its own, and not those of the frame below it.
        var isBranch = false
        var hasScope = false
        var evaluated = PartSet()
        var keyword = 0
        var progress: Progress?
    }

    /// The progress of a frame within a keyword.
    private struct Progress {
        private(set) var position = 0
        /// The position among the patterns, for a member.
        var pattern = 0
        /// The number of valid children, or whether a member is known.
        var matches = 0
        var fitting: [Int] = []
        var failed: [(number: Int, causes: [SchemaViolation])] = []

        mutating func next(below count: Int) -> Int? {
            guard position < count else { return nil }
            position += 1
            return position - 1
        }

        /// The position of the latest child.
        var latest: Int { position - 1 }

        /// Stays at a position that has more than one child.
        mutating func stay() { position -= 1 }
    }
}

// The frames.
extension SchemaChecker {
    private func frame(
        of node: Int,
        _ value: EntryValue,
        at place: JSONPointer,
        notesParts: Bool = false
    ) -> Frame {
        Frame(node: node, value: value, place: place, notesParts: notesParts || program.nodes[node].hasUnevaluated)
    }

    /// A frame for the same value.
    private func inPlace(_ node: Int, _ frame: Frame) -> Frame {
        self.frame(of: node, frame.value, at: frame.place, notesParts: frame.notesParts)
    }

    /// Gives a frame separate results.
    private mutating func branch(_ frame: Frame, limit: Int) -> Frame {
        checks.beginBranch(limit: limit)
        var frame = frame
        frame.isBranch = true
        return frame
    }

    private mutating func push(_ frame: Frame) {
        guard checks.spend(Cost.node) else { return }
        var frame = frame
        if !program.dynamicAnchors.isEmpty {
            let resource = program.nodes[frame.node].resource
            guard checks.spend(scope.count) else { return }
            // Only where a resource comes first counts.
            if !scope.contains(resource) {
                scope.append(resource)
                frame.hasScope = true
            }
        }
        frames.append(frame)
    }

    /// Continues a frame.
    ///
    /// - Returns: the frame that has to be finished before; `nil` if this one is.
    private mutating func advance(_ frame: inout Frame) -> Frame? {
        while frame.keyword < program.nodes[frame.node].keywords.count {
            let keyword = program.nodes[frame.node].keywords[frame.keyword]
            if frame.progress == nil {
                guard !checks.current.isComplete, checks.spend(Cost.keyword), begin(keyword, frame) else { return nil }
                frame.progress = Progress()
            }
            if var progress = frame.progress.take() {
                let child = child(of: &frame, keyword, &progress)
                if checks.isExhausted { return nil }
                if let child {
                    frame.progress = progress
                    return child
                }
                conclude(&frame, keyword, progress)
            }
            frame.keyword += 1
        }
        return nil
    }

    /// Passes the results of a frame to its parent.
    private mutating func finish(_ child: Frame) {
        if child.hasScope { scope.removeLast() }
        guard !checks.isExhausted, !frames.isEmpty else { return }
        let branch = child.isBranch ? checks.endBranch() : nil
        let isValid = branch?.isValid ?? true
        let parent = frames.count - 1
        let keyword = program.nodes[frames[parent].node].keywords[frames[parent].keyword]
        switch keyword.rule {
        case .any, .one:
            let number = frames[parent].progress?.latest ?? 0
            if isValid {
                frames[parent].progress?.fitting.append(number)
            } else {
                frames[parent].progress?.failed.append((number, branch?.violations ?? []))
            }
        case .memberNames:
            guard let branch, !isValid, case .string(let name) = child.value else { return }
            let subject = subject(of: frames[parent], keyword)
            return checks.add(subject.violation(.name(name), causes: branch.violations))
        case .contains, .not, .condition:
            if isValid, branch != nil { frames[parent].progress?.matches += 1 }
            if case .not = keyword.rule { return }
            if case .contains = keyword.rule {
                guard isValid, frames[parent].notesParts, let position = frames[parent].progress?.latest else { return }
                return frames[parent].evaluated.insert(position)
            }
        case .all, .reference, .dynamicReference, .dependentSchemas: break
        default: return
        }
        guard isValid, frames[parent].notesParts, checks.spend(child.evaluated.size) else { return }
        frames[parent].evaluated.formUnion(child.evaluated)
    }

    private func subject(of frame: Frame, _ keyword: SchemaKeyword) -> KeywordChecks.Subject {
        KeywordChecks.Subject(
            value: frame.value,
            place: frame.place,
            keyword: keyword,
            schema: program.nodes[frame.node].place
        )
    }
}

// Keywords that have parts of the value, or all of it, checked by other nodes.
extension SchemaChecker {
    /// Charges the work of a keyword besides its children.
    ///
    /// - Returns: whether there was enough work left.
    private mutating func begin(_ keyword: SchemaKeyword, _ frame: Frame) -> Bool {
        switch (keyword.rule, frame.value) {
        case (.members(let rules), .object): checks.spend(rules.names.reduce(0) { $0 + Cost.lookup(of: $1) })
        case (.dependentSchemas(let dependencies), .object):
            checks.spend(dependencies.reduce(0) { $0 + Cost.lookup(of: $1.name) })
        default: true
        }
    }

    /// The next child of a frame by a keyword; `nil` once there is none.
    private mutating func child(
        of frame: inout Frame,
        _ keyword: SchemaKeyword,
        _ progress: inout Progress
    ) -> Frame? {
        switch keyword.rule {
        case .all(let nodes): return progress.next(below: nodes.count).map { inPlace(nodes[$0], frame) }
        case .reference(let node): return progress.next(below: 1).map { _ in inPlace(node, frame) }
        case .dynamicReference(let name, let initially):
            return progress.next(below: 1).map { _ in inPlace(target(of: name) ?? initially, frame) }
        case .any(let nodes), .one(let nodes):
            if case .any = keyword.rule, !progress.fitting.isEmpty, !frame.notesParts { return nil }
            guard let number = progress.next(below: nodes.count) else { return nil }
            return branch(inPlace(nodes[number], frame), limit: checks.current.limit == 0 ? 0 : Self.maximumCauses)
        case .not(let node):
            guard progress.next(below: 1) != nil else { return nil }
            return branch(self.frame(of: node, frame.value, at: frame.place), limit: 0)
        case .condition(let condition, let then, let otherwise):
            switch progress.next(below: 2) {
            case 0: return branch(inPlace(condition, frame), limit: 0)
            case 1: return (progress.matches > 0 ? then : otherwise).map { inPlace($0, frame) }
            default: return nil
            }
        default:
            switch frame.value {
            case .array(let elements): return child(of: &frame, elements, keyword, &progress)
            case .object(let members): return child(of: &frame, members, keyword, &progress)
            default: return nil
            }
        }
    }

    private func target(of name: ExactString) -> Int? {
        guard let nodes = program.dynamicAnchors[name] else { return nil }
        return scope.lazy.compactMap { nodes[$0] }.first
    }

    private mutating func child(
        of frame: inout Frame,
        _ elements: [EntryValue],
        _ keyword: SchemaKeyword,
        _ progress: inout Progress
    ) -> Frame? {
        switch keyword.rule {
        case .elements(let prefix, let rest, let isClosed):
            let count = rest == nil || isClosed ? min(prefix.count, elements.count) : elements.count
            guard !checks.current.isComplete, let number = progress.next(below: count),
                let node = number < prefix.count ? prefix[number] : rest
            else { return nil }
            if frame.notesParts { frame.evaluated.insert(number) }
            return self.frame(of: node, elements[number], at: frame.place.appending(number))
        case .contains(let node, let atLeast, let atMost):
            let isDecided = atMost.map { progress.matches > $0 } ?? (progress.matches >= atLeast && !frame.notesParts)
            guard !isDecided, let number = progress.next(below: elements.count) else { return nil }
            return branch(self.frame(of: node, elements[number], at: frame.place.appending(number)), limit: 0)
        case .unevaluatedElements(let node):
            while !checks.current.isComplete, let number = progress.next(below: elements.count), checks.spend(Cost.part)
            {
                if frame.evaluated.contains(number) { continue }
                return self.frame(of: node, elements[number], at: frame.place.appending(number))
            }
            return nil
        default: return nil
        }
    }

    private mutating func child(
        of frame: inout Frame,
        _ members: EntryObject,
        _ keyword: SchemaKeyword,
        _ progress: inout Progress
    ) -> Frame? {
        switch keyword.rule {
        case .members(let rules): return child(of: &frame, members, by: rules, keyword, &progress)
        case .memberNames(let node):
            guard !checks.current.isComplete, let number = progress.next(below: members.count) else { return nil }
            let name = self.frame(of: node, .string(members[number].key), at: frame.place)
            return branch(name, limit: min(checks.current.limit, 1))
        case .dependentSchemas(let dependencies):
            while let number = progress.next(below: dependencies.count) {
                let (name, node) = dependencies[number]
                if members[name] != nil { return inPlace(node, frame) }
            }
            return nil
        case .unevaluatedMembers(let node):
            while !checks.current.isComplete, let number = progress.next(below: members.count), checks.spend(Cost.part)
            {
                if frame.evaluated.contains(number) { continue }
                let (name, value) = members[number]
                return self.frame(of: node, value, at: frame.place.appending(name))
            }
            return nil
        default: return nil
        }
    }

    /// The members named by `properties` come first, and then each by the patterns and the schema for all others.
    private mutating func child(
        of frame: inout Frame,
        _ members: EntryObject,
        by rules: MemberRules,
        _ keyword: SchemaKeyword,
        _ progress: inout Progress
    ) -> Frame? {
        let named = rules.named.count
        let isDone = rules.patterns.isEmpty && rules.additional == nil
        while !checks.current.isComplete, let position = progress.next(below: isDone ? named : named + members.count) {
            guard position >= named else {
                let (name, node) = rules.named[position]
                guard let number = members.position(of: name) else { continue }
                if frame.notesParts { frame.evaluated.insert(number) }
                return self.frame(of: node, members[number].value, at: frame.place.appending(name))
            }
            let number = position - named
            let (name, value) = members[number]
            if progress.pattern == 0 {
                guard checks.spend(Cost.lookup(of: name)) else { return nil }
                progress.matches = rules.declared.position(of: name) == nil ? 0 : 1
            }
            let place = frame.place.appending(name)
            while progress.pattern < rules.patterns.count {
                let (pattern, node) = rules.patterns[progress.pattern]
                progress.pattern += 1
                guard checks.matches(name, pattern) else { continue }
                progress.matches += 1
                if frame.notesParts { frame.evaluated.insert(number) }
                progress.stay()
                return self.frame(of: node, value, at: place)
            }
            progress.pattern = 0
            guard progress.matches == 0, let node = rules.additional else { continue }
            if frame.notesParts { frame.evaluated.insert(number) }
            guard rules.isClosed else { return self.frame(of: node, value, at: place) }
            let schema = program.nodes[frame.node].place
            let member = KeywordChecks.Subject(value: value, place: place, keyword: keyword, schema: schema)
            checks.add(member.violation(.unknownMember(name, known: rules.names)))
        }
        return nil
    }
}

// Keywords that depend on the results of other nodes.
extension SchemaChecker {
    private mutating func conclude(_ frame: inout Frame, _ keyword: SchemaKeyword, _ progress: Progress) {
        let subject = subject(of: frame, keyword)
        switch (keyword.rule, frame.value) {
        case (.any(let nodes), _), (.one(let nodes), _):
            if progress.fitting.isEmpty {
                let nearest = SchemaViolation.nearest(progress.failed, at: frame.place)
                let detail = SchemaViolation.Detail.nearest(nearest?.number, of: nodes.count)
                checks.add(subject.violation(detail, causes: nearest?.causes ?? []))
            } else if case .one = keyword.rule, progress.fitting.count > 1 {
                checks.add(subject.violation(.fitting(progress.fitting)))
            }
        case (.not, _): if progress.matches > 0 { checks.add(subject.violation()) }
        case (.contains(_, let atLeast, let atMost), .array):
            let isAllowed = progress.matches >= atLeast && atMost.map { progress.matches <= $0 } ?? true
            if !isAllowed {
                checks.add(subject.violation(.matches(progress.matches, atLeast: atLeast, atMost: atMost)))
            }
        case (.unevaluatedElements, .array), (.unevaluatedMembers, .object): frame.evaluated.insertEverything()
        default: checks.check(subject)
        }
    }
}
