// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import HTTPTransport
import NIOCore

/// Parses what servers send. They send the same bytes to thousands of clients, which in this process are parsed once: the
/// clients' own work would otherwise take more of the processors than the servers.
final class StormEvents {
    /// Whole events of a stream.
    struct Piece {
        let events: [StreamEvent]
        /// The pause that the server requests.
        let retry: Duration?
    }

    private var pieces: [ByteBuffer: Piece] = [:]
    private var answers: [ByteBuffer: (cursor: RevisionCursor, digest: ConfigDigest)] = [:]

    /// The number of different pieces that are remembered.
    private static let memory = 1000

    /// - Returns: `nil` as long as the last event is not whole. An event ends with an empty line, and its chunk after it.
    func piece(_ bytes: ByteBuffer) -> Piece? {
        if let piece = pieces[bytes] { return piece }
        guard bytes.readableBytesView.suffix(4).elementsEqual("\n\n\r\n".utf8) else { return nil }
        // The lines with the sizes of chunks are fields without a meaning to the parser.
        var parser = EventStreamParser()
        guard let events = try? parser.events(in: bytes.readableBytesView) else { return nil }
        let known = events.compactMap { try? StreamEvent(name: $0.name, data: Array($0.data.utf8)) }
        let piece = Piece(events: known, retry: parser.retry)
        if pieces.count == Self.memory { pieces = [:] }
        pieces[bytes] = piece
        return piece
    }

    /// The position and the digest that a read leads to: a snapshot has both in its tag, and changes in their JSON.
    func answer(_ head: HTTPResponseHead, _ body: ByteBuffer) -> (cursor: RevisionCursor, digest: ConfigDigest)? {
        if let tag = head.headers["etag"]?.trimmingCharacters(in: ["\""]).split(separator: "-"), tag.count >= 2 {
            guard let cursor = RevisionCursor(String(tag[0])), let digest = ConfigDigest(String(tag[1])) else {
                return nil
            }
            return (cursor, digest)
        }
        if let known = answers[body] { return known }
        guard let answer = try? ConfigAnswer(json: Array(body.readableBytesView)) else { return nil }
        let result: (cursor: RevisionCursor, digest: ConfigDigest)
        switch answer {
        case .snapshot(let state, _): result = (state.cursor, state.digest)
        case .changes(let changes, let epoch):
            result = (RevisionCursor(epoch: epoch, revision: changes.to), changes.digest)
        }
        if answers.count == Self.memory { answers = [:] }
        answers[body] = result
        return result
    }
}
