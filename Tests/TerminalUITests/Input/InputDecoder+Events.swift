@testable import TerminalUI

extension InputDecoder {
    /// The events of bytes that arrive at once, with nothing after them.
    static func events(of bytes: some Sequence<UInt8>) -> [InputEvent] {
        var decoder = InputDecoder()
        return decoder.feed(bytes) + decoder.flush()
    }

    /// The events of a text's bytes in UTF-8 that arrive at once, with nothing after them.
    static func events(of text: String) -> [InputEvent] {
        events(of: text.utf8)
    }

    /// The events of bytes of which each arrives by itself, but before anyone takes an ESC for the key.
    static func eventsByteByByte(of bytes: some Sequence<UInt8>) -> [InputEvent] {
        var decoder = InputDecoder()
        return bytes.flatMap { decoder.feed([$0]) } + decoder.flush()
    }
}

extension InputEvent {
    /// A key that types a character.
    static func character(_ character: Character, _ modifiers: Key.Modifiers = []) -> InputEvent {
        .key(Key(.character(character), modifiers))
    }

    /// A key that types nothing.
    static func special(_ code: Key.Code, _ modifiers: Key.Modifiers = []) -> InputEvent {
        .key(Key(code, modifiers))
    }

    /// A use of the mouse.
    static func mouse(_ action: MouseEvent.Action, column: Int, row: Int) -> InputEvent {
        .mouse(MouseEvent(action, at: Point(column: column, row: row)))
    }
}
