// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// A violation of a schema: something that the schema forbids, or something required that is missing.
public struct SchemaViolation: Hashable, Sendable {
    /// The keyword that is broken, such as `maximum`; empty where the schema is `false`.
    public let keyword: String
    /// The value of the keyword in the schema, such as 100.
    public let limit: EntryValue
    /// The part of the value that breaks it.
    public let found: EntryValue
    /// The violations of the best matching branch of `anyOf` or `oneOf`, or of a member's name.
    public let causes: [SchemaViolation]

    let detail: Detail
    let place: JSONPointer
    let keywordPlace: JSONPointer

    /// The position of the part in the value, as a JSON Pointer (RFC 6901): `/menu/0/url`; empty for the whole value.
    public var pointer: String { place.description }

    /// The position of the keyword in the schema, as a JSON Pointer: `/properties/menu/maxItems`.
    public var keywordPointer: String { keywordPlace.description }

    /// Further results of a keyword that its limit and the value do not show.
    enum Detail: Hashable {
        case none
        case count(Int)
        case equalElements(Int, Int)
        case tooManyElements(Int)
        /// The number of elements that match `contains`.
        case matches(Int, atLeast: Int, atMost: Int?)
        case missing(String)
        case missingBeside(String, String)
        case unknownMember(String, known: [String])
        case name(String)
        /// The branch with the causes, counted from 0, and how many there are.
        case nearest(Int?, of: Int)
        case fitting([Int])
        case tooMuchWork
        case publishTooCostly
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
