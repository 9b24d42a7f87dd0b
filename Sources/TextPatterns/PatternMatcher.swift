// SPDX-License-Identifier: Apache-2.0

/// Matches a text in one pass, with all paths through a program at the same time.
///
/// Each scalar of the text costs at most one visit of each step, for any pattern and text (Ken Thompson, "Regular Expression
/// Search Algorithm", CACM 1968). A visit counts as one, and more if a scalar beyond ASCII is looked up in a set.
struct PatternMatcher {
    private let program: PatternProgram
    /// The number of visits.
    private(set) var work: Int

    init(_ program: PatternProgram) {
        self.program = program
        work = program.steps.count
    }

    /// Whether a part of the text matches.
    ///
    /// - Returns: `nil` if more visits would be needed.
    mutating func matches(_ text: String, withinWork limit: Int) -> Bool? {
        let isAnchored = program.isAnchored
        // Local, so that what changes with each visit is in registers.
        var visits = PatternVisits(ofSteps: program.steps.count, work: work)
        defer { work = visits.work }
        var earlier = visits.waiting
        var scalars = text.unicodeScalars.makeIterator()
        var (previous, following): (Unicode.Scalar?, Unicode.Scalar?) = (nil, scalars.next())
        if program.visit(from: 0, between: previous, and: following, &visits) { return true }
        while visits.work <= limit {
            guard let scalar = following, !(isAnchored && visits.waitingCount == 0) else { return false }
            (previous, following) = (scalar, scalars.next())
            swap(&visits.waiting, &earlier)
            let count = visits.beginPlace()
            if !isAnchored, program.visit(from: 0, between: previous, and: following, &visits) { return true }
            for step in earlier[..<count] where program.consumes(scalar, at: step) {
                if program.visit(from: step + 1, between: previous, and: following, &visits) { return true }
            }
        }
        return nil
    }
}

/// The visits at a place in a text. The lists have room for each step once.
private struct PatternVisits {
    var work: Int
    /// The place, counted from 1, and the one at which each step was visited last.
    private(set) var place = 1
    var visited: [Int]
    /// The steps that wait for the next scalar, at the start of the array.
    var waiting: [Int]
    private(set) var waitingCount = 0
    /// The steps to be visited at this place.
    var toVisit: [Int]

    init(ofSteps count: Int, work: Int) {
        self.work = work
        visited = Array(repeating: 0, count: count)
        (waiting, toVisit) = (visited, visited)
    }

    /// - Returns: how many steps waited at the place before.
    mutating func beginPlace() -> Int {
        defer { waitingCount = 0 }
        place += 1
        return waitingCount
    }

    @inline(__always)
    mutating func wait(at step: Int) {
        waiting[waitingCount] = step
        waitingCount += 1
    }
}

extension PatternProgram {
    /// Visits everything reachable from a step without a scalar.
    ///
    /// - Returns: whether the end of the program is.
    @inline(__always)
    fileprivate func visit(
        from first: Int,
        between previous: Unicode.Scalar?,
        and following: Unicode.Scalar?,
        _ visits: inout PatternVisits
    ) -> Bool {
        var (step, left) = (first, 0)
        while true {
            if visits.visited[step] != visits.place {
                visits.visited[step] = visits.place
                visits.work += 1
                switch steps[step] {
                case .accept: return true
                case .scalar: visits.wait(at: step)
                case .set(let index):
                    if let following, !following.isASCII { visits.work += sets[index].lookupCost }
                    visits.wait(at: step)
                case .jump(let other):
                    step = other
                    continue
                case .split(let other):
                    visits.toVisit[left] = other
                    left += 1
                    step += 1
                    continue
                case .assertion(let assertion):
                    if Self.holds(assertion, between: previous, and: following) {
                        step += 1
                        continue
                    }
                }
            }
            if left == 0 { return false }
            left -= 1
            step = visits.toVisit[left]
        }
    }

    @inline(__always)
    func consumes(_ scalar: Unicode.Scalar, at step: Int) -> Bool {
        switch steps[step] {
        case .scalar(let expected): expected == scalar
        case .set(let index): sets[index].contains(scalar)
        case .assertion, .jump, .split, .accept: false
        }
    }

    static func holds(
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
