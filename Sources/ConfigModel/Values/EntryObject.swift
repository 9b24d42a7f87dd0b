// SPDX-License-Identifier: Apache-2.0

internal import Basics

/// Values by name: an object of JSON.
///
/// The members are sorted as in RFC 8785, by the UTF-16 code units of their names, and each name is unique. Names are compared
/// by Unicode scalars and may be any string.
public struct EntryObject: Sendable {
    /// A member of an object.
    public typealias Member = (key: String, value: EntryValue)

    private var members: [Member] = []
    /// Up to this number, a linear search is faster than a binary one.
    private static let fewMembers = 12

    /// Creates an object without members.
    public init() {}

    /// Creates an object from members in any order; of those of one name the last one counts.
    public init(_ members: some Sequence<Member>) {
        self.members = Array(members)
        let isInOrder = zip(self.members, self.members.dropFirst()).allSatisfy { $0.key.isBefore($1.key) }
        if isInOrder { return }
        // The sort is stable, so that the last of one name comes last.
        self.members.sort { $0.key.isBefore($1.key) }
        self.members = self.members.reduce(into: []) { kept, member in
            if let last = kept.last, last.key.hasSameScalars(as: member.key) { kept.removeLast() }
            kept.append(member)
        }
    }

    /// The value of a member; `nil` if there is none. Takes time in the logarithm of their number.
    public subscript(name: String) -> EntryValue? { position(of: name).map { members[$0].value } }

    /// The position of a member; `nil` if there is none.
    package func position(of name: String) -> Int? {
        if members.count <= Self.fewMembers {
            // The lengths tell most names apart, without a copy of the member, which a closure would get.
            let count = name.utf8.count
            for position in members.indices where members[position].key.utf8.count == count {
                if members[position].key.hasSameScalars(as: name) { return position }
            }
            return nil
        }
        let position = firstPosition(notBefore: name)
        return position < members.count && members[position].key.hasSameScalars(as: name) ? position : nil
    }

    /// Sets, adds or removes a member.
    package mutating func setMember(_ name: String, to value: EntryValue?) {
        let position = firstPosition(notBefore: name)
        let isKnown = position < members.count && members[position].key.hasSameScalars(as: name)
        switch value {
        case let value? where isKnown: members[position].value = value
        case let value?: members.insert((name, value), at: position)
        case nil: if isKnown { members.remove(at: position) }
        }
    }

    /// The same object with a member set, added or removed.
    package func setting(_ name: String, to value: EntryValue?) -> EntryObject {
        var object = self
        object.setMember(name, to: value)
        return object
    }

    /// The position of the first member that does not come before a name.
    private func firstPosition(notBefore name: String) -> Int {
        members.lowerBound { $0.key.isBefore(name) }
    }
}

extension EntryObject: RandomAccessCollection {
    /// The position of the first member: 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { members.count }
    /// A member by its position in order.
    public subscript(position: Int) -> Member { members[position] }
}

extension EntryObject: Hashable {
    /// Equal when both have the same names with equal values.
    public static func == (left: EntryObject, right: EntryObject) -> Bool {
        left.isSameStorage(as: right)
            || left.elementsEqual(right) { $0.key.hasSameScalars(as: $1.key) && $0.value == $1.value }
    }

    /// Whether both are copies of one object, which need not be compared.
    private func isSameStorage(as other: EntryObject) -> Bool {
        members.withUnsafeBufferPointer { own in
            other.members.withUnsafeBufferPointer { own.count == $0.count && own.baseAddress == $0.baseAddress }
        }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(EntryValue.object(self)) }
}

extension String {
    /// Whether the text comes before another one by their UTF-16 code units.
    fileprivate func isBefore(_ other: String) -> Bool {
        if utf8Span.isKnownASCII && other.utf8Span.isKnownASCII { return self < other }
        return utf16.lexicographicallyPrecedes(other.utf16)
    }
}
