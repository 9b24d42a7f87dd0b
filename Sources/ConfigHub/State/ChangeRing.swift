// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigWire
internal import HashTreeCollections
internal import NIOCore

/// The last changes of a namespace, each encoded once for all clients.
///
/// It is a ring that shares its structure with earlier versions: the cost of a commit is that of its changes, however many
/// changes are kept and however many clients still read an older state.
struct ChangeRing: Sendable {
    /// One change: of a commit, or of several that were read from the store together.
    final class Change: Sendable {
        let changeset: Changeset
        let updatedAt: Timestamp
        /// The digests at the revision that the change applies to.
        let previous: NamespaceState.Digests
        /// The `change` event of the stream, without schemas.
        let event: ByteBuffer
        /// The bytes of the event, and of the schemas, which are not in it.
        let bytes: Int

        init(_ changeset: Changeset, after previous: NamespaceState.Digests, at updatedAt: Timestamp, epoch: Epoch) {
            (self.changeset, self.previous, self.updatedAt) = (changeset, previous, updatedAt)
            event = ByteBuffer(bytes: StreamEvent.change(changeset.withoutSchemas, epoch: epoch).encoded)
            bytes = changeset.schemas.upserts.reduce(event.readableBytes + changeset.schemas.deletes.count * 64) {
                $0 + 64 + $1.value.canonicalByteCount
            }
        }

        /// The `change` event with schemas, which few streams have.
        func eventWithSchemas(_ epoch: Epoch) -> ByteBuffer {
            ByteBuffer(bytes: StreamEvent.change(changeset, epoch: epoch).encoded)
        }
    }

    /// By their numbers modulo ``places``, so that a new change takes the place of the one that it pushes out.
    private var changes: TreeDictionary<Int, Change> = [:]
    private var numbers = 0..<0
    /// The size of the encoded events and of the schemas next to them, in bytes.
    private(set) var bytes = 0
    private let maximumCount: Int
    private let maximumBytes: Int
    /// The bytes that are kept even if the snapshot is smaller.
    private static let minimumBytes = 1024 * 1024

    /// - Parameter maximumBytes: a larger change is not kept; clients then fetch a snapshot.
    init(maximumCount: Int = 4096, maximumBytes: Int = 8 * 1024 * 1024) {
        (self.maximumCount, self.maximumBytes) = (maximumCount, maximumBytes)
    }

    private var places: Int { max(maximumCount, 1) }

    private subscript(number: Int) -> Change? { numbers.contains(number) ? changes[number % places] : nil }

    /// Adds the newest change and drops the oldest ones to make room.
    mutating func append(_ change: Change) {
        let dropped = changes.updateValue(change, forKey: numbers.upperBound % places)
        bytes += change.bytes - (dropped?.bytes ?? 0)
        numbers = numbers.lowerBound + (dropped == nil ? 0 : 1)..<numbers.upperBound + 1
        while numbers.count > maximumCount { dropOldest() }
        trim(to: maximumBytes)
    }

    /// Drops the oldest changes beyond twice the size of a snapshot, which is then the better answer.
    mutating func trim(besides snapshotBytes: Int) {
        trim(to: max(2 * snapshotBytes, Self.minimumBytes))
    }

    /// Drops the oldest changes until the others have no more than a number of bytes.
    mutating func trim(to limit: Int) {
        while bytes > limit, !numbers.isEmpty { dropOldest() }
    }

    private mutating func dropOldest() {
        guard let dropped = changes.removeValue(forKey: numbers.lowerBound % places) else { return }
        bytes -= dropped.bytes
        numbers = numbers.dropFirst()
    }

    /// The changes that follow a revision, oldest first; `nil` if the ring does not reach back so far.
    ///
    /// - Parameters:
    ///   - revision: lower than the last change's.
    ///   - bytes: the maximum size of their events and schemas together; at least one change is always returned.
    func since(_ revision: UInt64, atMost bytes: Int = .max) -> [Change]? {
        guard let first = number(after: revision) else { return nil }
        var found: [Change] = []
        var left = bytes
        for number in first..<numbers.upperBound {
            guard let change = self[number] else { return nil }
            left -= change.bytes
            if left < 0, !found.isEmpty { break }
            found.append(change)
        }
        return found
    }

    /// The number of the first change that leads beyond a revision; `nil` if that does not reach back so far.
    private func number(after revision: UInt64) -> Int? {
        let number = numbers.partitioningIndex { self[$0].map { $0.changeset.to > revision } ?? true }
        guard let change = self[number], change.changeset.from <= revision else { return nil }
        return number
    }

    /// Whether the changes that follow a revision are all here, and have no more than a number of bytes as events.
    ///
    /// - Parameter revision: lower than the last change's.
    func reaches(_ revision: UInt64, atMost limit: Int = .max) -> Bool {
        guard let first = number(after: revision) else { return false }
        if limit >= bytes { return true }
        var left = limit
        return (first..<numbers.upperBound).allSatisfy { number in
            left -= self[number]?.bytes ?? .max
            return left >= 0
        }
    }

    /// The digests at a revision that one of the changes applies to.
    func digests(before revision: UInt64) -> NamespaceState.Digests? {
        guard let change = since(revision, atMost: 0)?.first, change.changeset.from == revision else { return nil }
        return change.previous
    }

    /// The keys that have changed after a moment and were not deleted then; `nil` if the ring does not reach so far.
    func keysUpserted(after moment: Timestamp) -> Set<String>? {
        var keys: Set<String> = []
        for number in numbers.reversed() {
            guard let change = self[number] else { return nil }
            if change.updatedAt <= moment { return keys }
            keys.formUnion(change.changeset.values.upserts.keys)
        }
        return nil
    }
}

extension Changeset {
    /// The change for clients that have not requested schemas.
    package var withoutSchemas: Changeset {
        var changes = self
        (changes.schemas, changes.schemaDigest) = (EntryChanges(), nil)
        return changes
    }

    /// This change of nothing, with the joint effect of changes.
    func joining(_ changes: [ChangeRing.Change]) -> Changeset {
        var joined = self
        for change in changes.lazy.map(\.changeset) {
            joined.values.follow(change.values)
            joined.schemas.follow(change.schemas)
        }
        return joined
    }
}

extension Range<Int> {
    /// The first number that satisfies a condition that all later numbers satisfy as well.
    func partitioningIndex(where isInSecond: (Int) -> Bool) -> Int {
        var range = self
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isInSecond(middle) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
