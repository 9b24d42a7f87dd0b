// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigServer
internal import ConfigWire
internal import HTTPTransport
internal import NIOCore

/// The states that the client library makes of the servers' bytes, by revision, each computed once for all clients.
struct ClientLibrary {
    /// An answer or a piece of a stream, as clients receive it.
    struct Content {
        let bytes: Int
        let revision: UInt64
        /// The digest that the client has computed of the entries.
        let digest: ConfigDigest

        /// The answer to a client that has it already (304).
        var unchanged: Content { Content(bytes: 309, revision: revision, digest: digest) }
    }

    private struct Step: Hashable {
        let from: UInt64
        let to: UInt64
    }

    /// The state of a client of an earlier run that has a revision, and of all that have followed the stream since.
    private var states: [UInt64: EntrySnapshot] = [:]
    private var snapshots: [UInt64: Content] = [:]
    private var documents: [UInt64: Content] = [:]
    private var deltas: [Step: Content] = [:]
    private var batches: [Step: Content] = [:]
    /// The sizes of heads, in bytes, as the server sends them.
    static let answerHead = 430
    static let streamHead = 420
    private static let source = "simulation"
    private static let epoch = Epoch(rawValue: 1)
    private static let now = Timestamp(milliseconds: 0)

    func digest(at revision: UInt64) -> ConfigDigest? { states[revision]?.digest }

    /// The answer to a client that knows nothing, or must forget what it knows.
    mutating func snapshot(_ state: NamespaceState) throws -> Content {
        if let known = snapshots[state.revision] { return known }
        let body = state.snapshotJSON
        guard case .snapshot(let answer, _) = try ConfigAnswer(json: Array(body.readableBytesView)) else {
            throw SimulationError("a snapshot is none")
        }
        let update = try EntrySnapshot.empty.updated(with: answer, from: Self.source, at: Self.now)
        states[state.revision] = states[state.revision] ?? update.snapshot
        let compressed = state.compressedSnapshotJSON(Gzip.compress) ?? body
        return Self.keep(compressed.readableBytes + Self.answerHead, update.snapshot, in: &snapshots[state.revision])
    }

    /// The document of `GET /{ns}.json`.
    mutating func document(_ state: NamespaceState) throws -> Content {
        if let known = documents[state.revision] { return known }
        let body = state.documentJSON
        let document = try ConfigDocument(json: Array(body.readableBytesView), source: Self.source)
        let digest = ConfigDigest(document.entries.lazy.map { ($0.key, $0.value.value) })
        let bytes = body.readableBytes + Self.answerHead
        let content = Content(bytes: bytes, revision: state.revision, digest: digest)
        documents[state.revision] = content
        return content
    }

    /// The changes between two revisions, if a client has read them before.
    func delta(from: UInt64, to: UInt64) -> Content? { deltas[Step(from: from, to: to)] }

    /// The changes since a revision.
    mutating func delta(_ changes: Changeset) throws -> Content {
        let step = Step(from: changes.from, to: changes.to)
        if let known = deltas[step] { return known }
        let body = ConfigAnswer.changes(changes, epoch: Self.epoch).json
        guard case .changes(let changes, let epoch) = try ConfigAnswer(json: body) else {
            throw SimulationError("changes are none")
        }
        let state = try apply(changes, of: epoch)
        return Self.keep(body.count + Self.answerHead, state, in: &deltas[step])
    }

    /// The events that lead a stream from a revision to another.
    mutating func batch(_ batch: StreamEncoder.Batch, from revision: UInt64) throws -> Content {
        let step = Step(from: revision, to: batch.position)
        if let known = batches[step] { return known }
        let bytes = batch.pieces.reduce(0) { $0 + $1.readableBytes }
        var state: EntrySnapshot?
        for case .change(let changes, let epoch) in try Self.events(in: batch.pieces) {
            state = try apply(changes, of: epoch)
        }
        guard let state, state.cursor?.revision == batch.position else {
            throw SimulationError("the events after \(revision) do not lead to \(batch.position)")
        }
        return Self.keep(bytes, state, in: &batches[step])
    }

    /// The events in pieces of a stream with their chunks around them.
    static func events(in pieces: [ByteBuffer]) throws -> [StreamEvent] {
        var parser = EventStreamParser()
        return try pieces.flatMap { piece in
            try parser.events(in: piece.readableBytesView).compactMap { event in
                try StreamEvent(name: event.name, data: Array(event.data.utf8))
            }
        }
    }

    /// Makes a state known that a client of an earlier run has.
    mutating func remember(_ state: NamespaceState) throws { _ = try snapshot(state) }

    private mutating func apply(_ changes: Changeset, of epoch: Epoch) throws -> EntrySnapshot {
        if changes.from == changes.to, let state = states[changes.to], state.digest == changes.digest { return state }
        guard let former = states[changes.from],
            let next = former.updated(with: changes, epoch: epoch, from: Self.source, at: Self.now)?.snapshot
        else { throw SimulationError("revision \(changes.to) cannot be applied to \(changes.from)") }
        states[changes.to] = states[changes.to] ?? next
        return next
    }

    private static func keep(_ bytes: Int, _ state: EntrySnapshot, in place: inout Content?) -> Content {
        let content = Content(
            bytes: bytes,
            revision: state.cursor?.revision ?? 0,
            digest: state.digest ?? ConfigDigest()
        )
        place = content
        return content
    }
}

/// A contradiction that ends the simulation.
package struct SimulationError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
