// SPDX-License-Identifier: Apache-2.0

/// Goes through a text once, with all the ways through a program at the same time.
///
/// Each scalar of the text costs at most one visit of each step, whatever the pattern and the text are (Ken Thompson,
/// "Regular Expression Search Algorithm", CACM 1968). A visit counts as one, and more where a scalar beyond ASCII is looked up
/// in a set.
struct PatternMatcher {
    private let program: PatternProgram
    /// The place in the text, counted from 1, at which a step was visited last.
    private var visited: [Int]
    private var place = 0
    /// The steps that wait for the next scalar, and those that come after them.
    private var waiting: [Int] = []
    private var next: [Int] = []
    /// The steps to be visited at this place; kept for its memory.
    private var toVisit: [Int] = []
    /// How many visits there were.
    private(set) var work: Int

    init(_ program: PatternProgram) {
        self.program = program
        visited = Array(repeating: 0, count: program.steps.count)
        work = program.steps.count
    }

    /// Whether a part of the text matches.
    ///
    /// - Returns: `nil` if more than so many visits would be needed.
    mutating func matches(_ text: String, withinWork limit: Int) -> Bool? {
        let isAnchored = program.isAnchored
        var scalars = text.unicodeScalars.makeIterator()
        var (previous, following): (Unicode.Scalar?, Unicode.Scalar?) = (nil, scalars.next())
        while work <= limit {
            place += 1
            waiting.removeAll(keepingCapacity: true)
            if previous == nil || !isAnchored { next.append(0) }
            for step in next where visit(from: step, between: previous, and: following) { return true }
            guard let scalar = following, !(isAnchored && waiting.isEmpty) else { return false }
            next.removeAll(keepingCapacity: true)
            for step in waiting where consumes(step, scalar) { next.append(step + 1) }
            (previous, following) = (scalar, scalars.next())
        }
        return nil
    }

    /// Visits whatever is reached from a step without a scalar.
    ///
    /// - Returns: whether the end of the program is.
    private mutating func visit(
        from step: Int,
        between previous: Unicode.Scalar?,
        and following: Unicode.Scalar?
    ) -> Bool {
        toVisit.append(step)
        while let step = toVisit.popLast() {
            if visited[step] == place { continue }
            visited[step] = place
            work += 1
            switch program.steps[step] {
            case .accept: return true
            case .scalar: waiting.append(step)
            case .set(let index):
                if let following, !following.isASCII { work += program.sets[index].lookupCost }
                waiting.append(step)
            case .jump(let other): toVisit.append(other)
            case .split(let other): toVisit += [other, step + 1]
            case .assertion(let assertion):
                if Self.holds(assertion, between: previous, and: following) { toVisit.append(step + 1) }
            }
        }
        return false
    }

    private func consumes(_ step: Int, _ scalar: Unicode.Scalar) -> Bool {
        switch program.steps[step] {
        case .scalar(let expected): expected == scalar
        case .set(let index): program.sets[index].contains(scalar)
        case .assertion, .jump, .split, .accept: false
        }
    }

    private static func holds(
        _ assertion: PatternNode.Assertion,
        between previous: Unicode.Scalar?,
        and following: Unicode.Scalar?
    ) -> Bool {
        switch assertion {
        case .startOfText: previous == nil
        case .endOfText: following == nil
        case .wordBoundary(let isWanted): (isWordCharacter(previous) != isWordCharacter(following)) == isWanted
        }
    }

    private static func isWordCharacter(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return wordCharacters.contains(scalar)
    }

    private static let wordCharacters = ScalarSet.wordCharacters.finished()
}
