// SPDX-License-Identifier: Apache-2.0

import ConfigModel

// Every operator pays here before it works. A step is at most a microsecond of work and at most 400 bytes of memory.

extension RuleMachine {
    /// The maximum number of steps: one for each part of the rule that is evaluated, for each element that is visited, for
    /// each 16 bytes of text that are read or written, and for each eight elements or members that are copied.
    static let maximumSteps = 100_000

    /// The maximum size of the arrays, objects and texts that an evaluation builds: 16 MiB.
    static let maximumBytes = 16 * 1024 * 1024

    /// The maximum depth of a value that `reduce` passes from one element to the next.
    static let maximumDepth = 64

    /// The shortest decimal of a double is found by so much work.
    private static let stepsOfDouble = 16

    mutating func charge(_ count: Int) throws(ExceededLimit) {
        steps += count
        if steps > limit { throw .steps }
    }

    /// Charges for reading a text once.
    mutating func charge(text: String) throws(ExceededLimit) {
        try charge(text.utf8.count / 16)
    }

    /// Charges for reading a version; a longer text is not one. Its identifiers become a text each.
    mutating func charge(version value: EntryValue) throws(ExceededLimit) {
        switch value {
        case .string(let text): try charge(min(text.utf8.count, SemanticVersion.maximumBytes) / 2)
        case .double: try charge(Self.stepsOfDouble)
        case .null, .boolean, .integer, .array, .object: return
        }
    }

    /// Charges for writing a text of this size.
    mutating func charge(writing byteCount: Int) throws(ExceededLimit) {
        try charge(byteCount / 16)
        try charge(building: byteCount)
    }

    /// Charges for an array with a number of elements, or an object with members; the values themselves are shared.
    mutating func charge<Part>(
        copying count: Int,
        of type: Part.Type = EntryValue.self
    ) throws(ExceededLimit) {
        try charge(count / 8)
        try charge(building: count * MemoryLayout<Part>.stride)
    }

    private mutating func charge(building byteCount: Int) throws(ExceededLimit) {
        builtBytes += byteCount
        if builtBytes > Self.maximumBytes { throw .bytes }
    }

    /// Charges for a look at all of a value, part by part: a value that contains another one twice costs it twice.
    // The recursion is bounded by the depth of what an evaluation builds.
    mutating func charge(all value: EntryValue) throws(ExceededLimit) {
        switch value {
        case .null, .boolean, .integer: try charge(1)
        case .double: try charge(Self.stepsOfDouble)
        case .string(let text): try charge(1 + text.utf8.count / 16)
        case .array(let elements):
            try charge(1)
            for element in elements { try charge(all: element) }
        case .object(let members):
            try charge(1)
            for (name, value) in members {
                try charge(text: name)
                try charge(all: value)
            }
        }
    }

    /// Charges for a value that the next element's evaluation may build upon, and limits its depth, for which sixteen parts
    /// are visited in a step.
    mutating func charge(accumulator value: EntryValue) throws(ExceededLimit) {
        var parts = 0
        try visit(value, depth: 0, &parts)
    }

    private mutating func visit(_ value: EntryValue, depth: Int, _ parts: inout Int) throws(ExceededLimit) {
        parts += 1
        if parts % 16 == 0 { try charge(1) }
        switch value {
        case .null, .boolean, .integer, .double, .string: return
        case .array(let elements):
            guard depth < Self.maximumDepth else { throw .depth }
            for element in elements { try visit(element, depth: depth + 1, &parts) }
        case .object(let members):
            guard depth < Self.maximumDepth else { throw .depth }
            for (_, value) in members { try visit(value, depth: depth + 1, &parts) }
        }
    }
}

/// The cost of several evaluations together, so that no request keeps a server busy.
package struct StepBudget: Sendable {
    /// The remaining number of steps.
    package private(set) var steps: Int
    /// The remaining size of all explanations, in bytes of JSON.
    var explanationBytes: Int
    /// The error of an evaluation for which too few steps remain, as one sentence without a full stop.
    let message: StaticString

    /// - Parameters:
    ///   - steps: The maximum number of steps, in the terms of the limit of a single evaluation.
    ///   - explanationBytes: The maximum size of all explanations, in bytes of JSON.
    ///   - message: The error of an evaluation for which too few steps remain.
    package init(
        _ steps: Int,
        explanationBytes: Int = 4 * 1024 * 1024,
        message: StaticString = "the evaluations together exceed the step limit"
    ) {
        (self.steps, self.explanationBytes, self.message) = (steps, explanationBytes, message)
    }

    /// Whether nothing is left, so that an evaluation may have been cut off.
    package var isSpent: Bool { steps == 0 }

    /// The maximum number of steps of the next evaluation.
    var limit: Int { min(steps, RuleMachine.maximumSteps) }

    mutating func take(_ steps: Int) { self.steps = max(self.steps - steps, 0) }
}

/// A limit that an evaluation has exceeded.
enum ExceededLimit: Error {
    /// The number of steps.
    case steps
    /// The size of the arrays, objects and texts that it builds.
    case bytes
    /// The depth of a value that it builds.
    case depth
}
