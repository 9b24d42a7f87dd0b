// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// A part of a rule's targeting, ready to evaluate.
///
/// It names everything else by its index in the ``RuleProgram``: a look at a node counts no references, and many nodes fit
/// into a line of the processor's cache.
enum RuleNode: Hashable, Sendable {
    /// The place of something in a list of the program.
    typealias Index = Int32
    /// The positions of the nodes' indices in the program's arguments.
    typealias Arguments = Range<Index>

    /// A literal value: one of the program's constants.
    case constant(Index)
    /// An array with parts that are not constant.
    case list(Arguments)
    /// `var` with a name alone: one of the program's attributes.
    case attribute(Index)
    /// `var` with one of the program's paths, and the node for its default.
    case variable(path: Index, otherwise: Index?)
    /// `if`: conditions and results in turns, perhaps with a last result.
    case condition(Arguments)
    /// `and`: the first that is false, or the last.
    case all(Arguments)
    /// `or`: the first that is true, or the last.
    case any(Arguments)
    /// `<` and similar, with two or three operands; more are ignored.
    case comparison(RuleOrdering, Arguments)
    /// `map`, `filter` and similar: their array, their expression for each element, and their initial value.
    case iteration(RuleIteration, Arguments)
    /// `fractional`: one of the program's splits.
    case split(Index)
    /// `sem_ver`: a node, and one of the program's versions to compare it with.
    case version(Index, limit: Index, VersionRelation)
    /// `$ref`: one of the program's references, to a shared evaluator.
    case reference(Index)
    /// Any other operator, whose arguments are evaluated first.
    case operation(RuleOperator, Arguments)

    /// The steps of a path: `user.address.0`. No value is so deep that a path of more than 256 leads to something.
    static func components(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "."), maxSplits: 256, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }
}

/// An attribute of the context, by its name.
enum RuleAttribute: Hashable, Sendable {
    case targetingKey
    /// `$flagd`: the key of the flag, and the time.
    case flag
    case named(String)

    init(_ name: String) {
        switch name {
        case "targetingKey": self = .targetingKey
        case "$flagd": self = .flag
        default: self = .named(name)
        }
    }

    var name: String {
        switch self {
        case .targetingKey: "targetingKey"
        case .flag: "$flagd"
        case .named(let name): name
        }
    }
}

/// The operators that order values.
enum RuleOrdering: String, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// The operators that look at each element of an array.
enum RuleIteration: String, Sendable, CaseIterable {
    case map, filter, reduce, all, none, some
}

/// The operators whose arguments are evaluated first.
enum RuleOperator: String, Sendable, CaseIterable {
    case variable = "var"
    case missing
    case missingSome = "missing_some"
    case equal = "=="
    case unequal = "!="
    case identical = "==="
    case different = "!=="
    case not = "!"
    case truth = "!!"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case modulo = "%"
    case minimum = "min"
    case maximum = "max"
    case merge
    case contained = "in"
    case joined = "cat"
    case part = "substr"
    case log
    case startsWith = "starts_with"
    case endsWith = "ends_with"
    case version = "sem_ver"
}

extension RuleOperator {
    /// Whether it looks at two arguments and no more, as most conditions do.
    var isOfTwo: Bool {
        switch self {
        case .equal, .unequal, .identical, .different, .contained, .startsWith, .endsWith: true
        default: false
        }
    }
}

/// A `fractional`: who falls into which part of a split.
struct RuleSplit: Hashable, Sendable {
    /// A part of a split.
    enum Part: Hashable, Sendable {
        /// A variant with its weight, both as they are written.
        case fixed(EntryValue, weight: Int)
        /// A variant with its weight, 1 by default, of which one has to be evaluated.
        case pair(variant: Int, weight: Int?)
        /// An expression that yields such a pair when it is evaluated.
        case computed(Int)
    }

    /// The node that divides users; `nil` for the key of the flag and the targeting key.
    let bucketBy: Int?
    let parts: [Part]
    /// The sum of the weights, where all parts are written out.
    let fixedTotal: Int?

    init(bucketBy: Int?, parts: [Part]) {
        (self.bucketBy, self.parts) = (bucketBy, parts)
        let weights = parts.compactMap { if case .fixed(_, let weight) = $0 { weight } else { nil } }
        fixedTotal = weights.count == parts.count ? weights.reduce(0, +) : nil
    }

    /// The maximum sum of the weights: 2^31 − 1.
    static let maximumTotal = Int(Int32.max)
}
