// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

/// Compares states with the specification, key by key, over many changes.
struct ConfigEntriesTests {
    private static func entry(_ number: Int) -> ConfigEntry {
        ConfigEntry(value: .integer(number), source: "s", changedAt: Timestamp(milliseconds: 0))
    }

    @Test func copiesOfEntriesAreIndependent() {
        var random = SeededGenerator(seed: 31)
        for keys in [3, 40, 500] {
            var (entries, model): (ConfigEntries, [String: ConfigEntry]) = ([:], [:])
            var copies: [(ConfigEntries, [String: ConfigEntry])] = []
            for number in 0..<4000 {
                let key = "key\(Int.random(in: 0..<keys, using: &random))"
                #expect(entries[key] == model[key])
                let entry = Int.random(in: 0..<3, using: &random) == 0 ? nil : Self.entry(number)
                (entries[key], model[key]) = (entry, entry)
                #expect(entries[key] == model[key] && entries.count == model.count)
                if number.isMultiple(of: 200) { copies.append((entries, model)) }
            }
            copies.append((entries, model))
            for (entries, model) in copies { expect(entries, toBe: model) }
        }
    }

    private func expect(_ entries: ConfigEntries, toBe model: [String: ConfigEntry]) {
        #expect(entries.count == model.count && entries.isEmpty == model.isEmpty)
        #expect(entries.mapValues(\.self) == model)
        #expect(entries.keys.sorted() == model.keys.sorted())
        #expect(entries.values.count == model.count)
        #expect(Dictionary(entries.map { ($0.key, $0.value) }) { $1 } == model)
        var other = ConfigEntries()
        for (key, entry) in model { other[key] = entry }
        #expect(entries == other && entries.hashValue == other.hashValue)
        other["another"] = Self.entry(-1)
        #expect(entries != other)
    }

    @Test func namesThatOnlyLookTheSameAreApart() {
        var entries: ConfigEntries = ["K": Self.entry(0)]
        #expect(entries["\u{212A}"] == nil)
        entries["\u{212A}"] = nil
        #expect(entries.count == 1)
        for (number, name) in EquivalentNames.all.enumerated() { entries[name] = Self.entry(number) }
        #expect(entries.count == EquivalentNames.all.count)
        for (number, name) in EquivalentNames.all.enumerated() { #expect(entries[name] == Self.entry(number)) }
    }

    /// Documents with other keys in other orders, and a server's changes, lead from one state to the next.
    @Test func eachStateFollowsFromTheOneBefore() throws {
        var random = SeededGenerator(seed: 32)
        var (state, model): (EntrySnapshot, [String: ConfigEntry]) = (.empty, [:])
        for round in 0..<600 {
            let now = Timestamp(milliseconds: Int64(round))
            var members = model.mapValues(\.value)
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let key = "key\(Int.random(in: 0..<30, using: &random))"
                members[key] = Bool.random(using: &random) ? .integer(round) : nil
            }
            let lines = members.map { "\"\($0.key)\":\($0.value.canonicalJSON)" }
            let text = "{" + (Bool.random(using: &random) ? lines.sorted() : lines).joined(separator: "\n,") + "}"
            let read = try document(text)
            let source = "d\(Int.random(in: 0..<2, using: &random))"
            let changedKeys = Set(model.keys).union(members.keys).filter { model[$0]?.value != members[$0] }.sorted()
            let revision = state.revision + (changedKeys.isEmpty ? 0 : 1)
            model = Dictionary(
                uniqueKeysWithValues: members.map { key, value in
                    let changedAt = model[key]?.value == value ? model[key]?.changedAt : now
                    let location = read.entries[key]?.location
                    return (key, .init(value: value, source: source, location: location, changedAt: changedAt ?? now))
                }
            )
            let update = state.updated(with: read, from: source, at: now)
            #expect(update.changedKeys == changedKeys && update.snapshot.revision == revision)
            #expect(update.snapshot.entries.mapValues(\.self) == model)
            state = update.snapshot
        }
    }

    @Test func aServersChangesAndItsWholeStateLeadToTheSame() throws {
        var random = SeededGenerator(seed: 33)
        let epoch = Epoch(rawValue: 1)
        var values = Dictionary(uniqueKeysWithValues: (0..<200).map { ("key\($0)", EntryValue.integer($0)) })
        func whole(_ revision: Int) -> ServerSnapshot {
            let digest = ConfigDigest(values.lazy.map { ($0.key, $0.value) })
            return ServerSnapshot(
                cursor: RevisionCursor(epoch: epoch, revision: UInt64(revision)),
                digest: digest,
                entries: values
            )
        }
        var state = try EntrySnapshot.empty.updated(with: whole(0), from: "s", at: Timestamp(milliseconds: 0)).snapshot
        for revision in 1...600 {
            let key = "key\(Int.random(in: 0..<400, using: &random))"
            let isDelete = Int.random(in: 0..<3, using: &random) == 0
            values[key] = isDelete ? nil : .integer(revision)
            let now = Timestamp(milliseconds: Int64(revision))
            let changes = Changeset(
                from: UInt64(revision - 1),
                to: UInt64(revision),
                digest: whole(revision).digest,
                upserts: isDelete ? [:] : [key: .integer(revision)],
                deletes: isDelete ? [key] : []
            )
            let update = try #require(state.updated(with: changes, epoch: epoch, from: "s", at: now))
            #expect(update.snapshot.revision == state.revision + UInt64(update.changedKeys.count))
            state = update.snapshot
            #expect(state.entries.mapValues(\.value) == values)
            if revision.isMultiple(of: 150) {
                let again = try state.updated(with: whole(revision), from: "s", at: now)
                #expect(again.changedKeys.isEmpty && again.snapshot == state)
                state = again.snapshot
            }
        }
        // Only changes that begin at this state apply.
        let now = Timestamp(milliseconds: 601)
        for (from, epoch) in [(599, epoch), (601, epoch), (600, Epoch(rawValue: 2))] as [(UInt64, Epoch)] {
            let changes = Changeset(from: from, to: 602, digest: whole(600).digest)
            #expect(state.updated(with: changes, epoch: epoch, from: "s", at: now) == nil, "\(from) of \(epoch)")
        }
    }
}
