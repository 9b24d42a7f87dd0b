// SPDX-License-Identifier: Apache-2.0

/// A regular expression as the steps of Thompson's construction: a text matches if some way through the steps accepts it.
struct PatternProgram {
    enum Step {
        /// Advances to the next step with the scalar, or with one out of the set.
        case scalar(Unicode.Scalar)
        case set(Int)
        /// Advances to the next step if the condition is true.
        case assertion(PatternNode.Assertion)
        case jump(Int)
        /// Advances to the next step and to the other.
        case split(Int)
        case accept
    }

    private(set) var steps: [Step] = []
    let sets: [ScalarSet]

    /// The maximum number of steps of a program. A counted repeat has its steps as often as it counts.
    static let maximumSteps = 2000

    init(_ text: String) throws(PatternError) {
        var parser = PatternParser(text)
        let node = try parser.pattern()
        sets = parser.sets
        try append(node)
        try append(step: .accept)
    }

    /// Whether only the start of a text can be where a match begins, as with `^…`.
    var isAnchored: Bool {
        if case .assertion(.startOfText) = steps[0] { true } else { false }
    }

    private mutating func append(step: Step) throws(PatternError) {
        guard steps.count < Self.maximumSteps else {
            let message =
                """
                the pattern requires more than \(Self.maximumSteps) steps; use smaller repetitions, or minLength and \
                maxLength
                """
            throw PatternError(message: message, offset: 0)
        }
        steps.append(step)
    }

    private mutating func append(_ node: PatternNode) throws(PatternError) {
        switch node {
        case .empty: break
        case .scalar(let scalar): try append(step: .scalar(scalar))
        case .set(let index): try append(step: .set(index))
        case .assertion(let assertion): try append(step: .assertion(assertion))
        case .sequence(let nodes): for node in nodes { try append(node) }
        case .alternatives(let nodes): try append(alternatives: nodes)
        case .repetition(let node, let atLeast, let atMost): try append(node, atLeast: atLeast, atMost: atMost)
        }
    }

    private mutating func append(alternatives nodes: [PatternNode]) throws(PatternError) {
        var jumps: [Int] = []
        for node in nodes.dropLast() {
            let split = steps.count
            try append(step: .split(0))
            try append(node)
            jumps.append(steps.count)
            try append(step: .jump(0))
            steps[split] = .split(steps.count)
        }
        if let last = nodes.last { try append(last) }
        for jump in jumps { steps[jump] = .jump(steps.count) }
    }

    private mutating func append(_ node: PatternNode, atLeast: Int, atMost: Int?) throws(PatternError) {
        var start = steps.count
        for _ in 0..<atLeast {
            start = steps.count
            try append(node)
        }
        guard let atMost else { return try appendLoop(of: node, from: atLeast > 0 ? start : nil) }
        var splits: [Int] = []
        for _ in atLeast..<atMost {
            splits.append(steps.count)
            try append(step: .split(0))
            try append(node)
        }
        for split in splits { steps[split] = .split(steps.count) }
    }

    /// - Parameter start: the start of the node's steps; `nil` if they have not been emitted yet.
    private mutating func appendLoop(of node: PatternNode, from start: Int?) throws(PatternError) {
        if let start { return try append(step: .split(start)) }
        let split = steps.count
        try append(step: .split(0))
        try append(node)
        try append(step: .jump(split))
        steps[split] = .split(steps.count)
    }
}
