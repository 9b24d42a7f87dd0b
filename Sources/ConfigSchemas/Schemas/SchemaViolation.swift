// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// What a value has that its schema does not allow, or does not have that it demands.
public struct SchemaViolation: Hashable, Sendable {
    /// The keyword that is broken, such as `maximum`; empty where the schema is `false`.
    public let keyword: String
    /// What the schema says of the keyword, such as 100.
    public let limit: EntryValue
    /// The part of the value that breaks it.
    public let found: EntryValue
    /// What is wrong by the branch of `anyOf` or `oneOf` that the value comes nearest to, or with a member's name.
    public let causes: [SchemaViolation]

    let detail: Detail
    let place: JSONPointer
    let keywordPlace: JSONPointer

    /// Where in the value the part is, as a JSON Pointer (RFC 6901): `/menu/0/url`; empty for the whole value.
    public var pointer: String { place.description }

    /// Where in the schema the keyword is, as a JSON Pointer: `/properties/menu/maxItems`.
    public var keywordPointer: String { keywordPlace.description }

    /// What a keyword found out that its limit and the value do not show.
    enum Detail: Hashable {
        case none
        case count(Int)
        case equalElements(Int, Int)
        case tooManyElements(Int)
        /// How many elements match `contains`.
        case matches(Int, atLeast: Int, atMost: Int?)
        case missing(String)
        case missingBeside(String, String)
        case unknownMember(String, known: [String])
        case name(String)
        /// The branch with the causes, counted from 0, and how many there are.
        case nearest(Int?, of: Int)
        case fitting([Int])
        case tooMuchWork
        case tooMuchWorkTogether
    }

    /// - Parameter detail: whether one value took too much work, or several together.
    static func tooMuchWork(_ value: EntryValue, limit: Int, _ detail: Detail = .tooMuchWork) -> SchemaViolation {
        SchemaViolation(
            keyword: "",
            limit: .integer(limit),
            found: value,
            causes: [],
            detail: detail,
            place: .root,
            keywordPlace: .root
        )
    }

    /// The branch that a value comes nearest to: one that is for values of its type, and then with the fewest violations.
    static func nearest(
        _ branches: [(number: Int, causes: [SchemaViolation])],
        at place: JSONPointer
    ) -> (number: Int, causes: [SchemaViolation])? {
        branches.min { left, right in
            let isOther = { (causes: [SchemaViolation]) in
                causes.contains { $0.place == place && ["type", "const", "enum", ""].contains($0.keyword) } ? 1 : 0
            }
            return (isOther(left.causes), left.causes.count) < (isOther(right.causes), right.causes.count)
        }
    }
}

extension SchemaViolation: CustomStringConvertible {
    /// The place and the message in one line.
    public var description: String {
        [pointer.excerpt(ofScalars: 200), message].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
