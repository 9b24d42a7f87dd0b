// SPDX-License-Identifier: Apache-2.0

/// A line between a program and its terminal on which answers arrive late and in pieces, as over a mobile connection.
///
/// The line preserves the order of the terminal's input. A key pressed before the terminal has answered arrives before the
/// answer, never within it. The same seed gives the same delays and pieces.
package struct SlowLine: Sendable {
    private struct Piece {
        let due: ContinuousClock.Instant
        let bytes: [UInt8]
        let answer: Int
        var isTyped = false
    }

    private var generator: SeededGenerator
    private let latency: Duration
    private let intruders: [[UInt8]]
    private var pieces: [Piece] = []
    private var answers = 0
    private var lastDelivered = 0

    /// - Parameters:
    ///   - seed: Determines where answers are divided.
    ///   - latency: The delay of an answer.
    ///   - intruders: Unrequested sequences, one of which precedes each answer.
    package init(seed: UInt64, latency: Duration, intruders: [[UInt8]] = []) {
        generator = SeededGenerator(seed: seed)
        (self.latency, self.intruders) = (latency, intruders)
    }

    /// Whether everything has arrived.
    var isIdle: Bool { pieces.isEmpty }

    /// Whether something that was typed has not arrived.
    var hasTyped: Bool { pieces.contains(where: \.isTyped) }

    /// Whether the first piece of an answer has arrived.
    var hasDelivered: Bool { lastDelivered > 0 }

    /// The arrival of the next piece.
    var nextArrival: ContinuousClock.Instant? { pieces.first?.due }

    /// The terminal answers.
    mutating func answer(_ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        answers += 1
        var rest = ((intruders.randomElement(using: &generator) ?? []) + bytes)[...]
        var due = max(.now + latency, pieces.last?.due ?? .now)
        while !rest.isEmpty {
            // One in four pieces is a single byte: ESC, more often than not, where it is the first.
            let isSingle = Int.random(in: 0..<4, using: &generator) == 0
            let count = isSingle ? 1 : Int.random(in: 1...max(rest.count, 1), using: &generator)
            pieces.append(Piece(due: due, bytes: Array(rest.prefix(count)), answer: answers))
            rest = rest.dropFirst(count)
            due += .milliseconds(Int.random(in: 1...70, using: &generator))
        }
    }

    /// A person types.
    mutating func type(_ bytes: [UInt8]) {
        // After the rest of an answer that has begun to arrive, before the others.
        let place = pieces.firstIndex { $0.answer != lastDelivered } ?? pieces.endIndex
        let due = place > 0 ? pieces[place - 1].due : .now
        pieces.insert(Piece(due: due, bytes: bytes, answer: lastDelivered, isTyped: true), at: place)
    }

    /// Returns what has arrived.
    mutating func arrivals() -> [UInt8] {
        let now = ContinuousClock.now
        let count = pieces.prefix { $0.due <= now }.count
        guard count > 0 else { return [] }
        defer { pieces.removeFirst(count) }
        lastDelivered = pieces[count - 1].answer
        return pieces.prefix(count).flatMap(\.bytes)
    }
}
