// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

/// After any keys and clicks, each screen can be drawn, and can be left.
struct RandomEventTests {
    private static let eventCount = 10_000

    @Test(arguments: CatalogScreen.all)
    func noEventsLeaveAScreenThatCannotBeLeft(screen: CatalogScreen) throws {
        var random = SeededGenerator(seed: screen.name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        var desk = try screen.desk(columns: 80, rows: 24)
        var events: [TerminalEvent] = []
        for step in 0...Self.eventCount / CatalogScreen.all.count {
            let event = Self.event(in: desk.model.size, &random)
            events.append(event)
            desk.send(.terminal(event))
            if step % 8 == 0 { #expect(desk.model.view().faults == [], "after \(events.suffix(8))") }
        }
        desk.send(.terminal(.resized(Size(columns: 80, rows: 24))))
        for _ in 0..<32 where !desk.model.panels.isEmpty { desk.send(.terminal(.input(.key(Key(.escape))))) }
        #expect(desk.model.panels.isEmpty, "after \(events.suffix(32))")
        var model = desk.model
        #expect(model.press("q") == [.quit(signal: nil)])
    }

    private static let codes: [Key.Code] = [
        .enter, .escape, .tab, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown,
        .function(1), .function(12), .character("é"), .character("世"), .character("\u{301}"),
    ]
    private static let texts = [
        "", "a\nb", "#87CEFA", "/[", "\u{1B}[2J", "👩‍👩‍👧 世界", "[1, 2", String(repeating: "x", count: 300),
    ]

    private static func event(in size: Size, _ random: inout SeededGenerator) -> TerminalEvent {
        switch Int.random(in: 0..<100, using: &random) {
        case 0: .resized(Size(columns: .random(in: 1...200, using: &random), rows: .random(in: 1...60, using: &random)))
        case 1: .input(.focus(.random(using: &random)))
        case 2...3: .input(.paste(texts.randomElement(using: &random) ?? ""))
        case 4...25: .input(.mouse(MouseEvent(action(&random), at: point(in: size, &random))))
        default: .input(.key(key(&random)))
        }
    }

    private static func key(_ random: inout SeededGenerator) -> Key {
        let modifiers: Key.Modifiers =
            switch Int.random(in: 0..<10, using: &random) {
            case 0: .control
            case 1: .alt
            case 2: .shift
            default: []
            }
        if Int.random(in: 0..<3, using: &random) == 0 {
            return Key(codes.randomElement(using: &random) ?? .enter, modifiers)
        }
        let letter = Character(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random)))
        return Key(.character(letter), modifiers)
    }

    private static func action(_ random: inout SeededGenerator) -> MouseEvent.Action {
        let button = Int.random(in: 0...1, using: &random)
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: .drag(button: button)
        case 1: .scroll(.random(in: -3...3, using: &random))
        case 2: .release(button: button)
        default: .press(button: button)
        }
    }

    private static func point(in size: Size, _ random: inout SeededGenerator) -> Point {
        // Also beyond the edges, as after a resize.
        Point(
            column: .random(in: 0...size.columns, using: &random),
            row: .random(in: 0...size.rows, using: &random)
        )
    }
}
