// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// Performs SGR, and returns whether this is it.
    mutating func performStyle(_ sequence: ControlSequence) -> Bool {
        guard sequence.function == "m" else { return false }
        var parameters = sequence.parameters[...]
        if parameters.isEmpty { parameters = [0] }
        while let parameter = parameters.popFirst() {
            if !apply(parameter ?? 0, &parameters) { recordViolation("style \(parameter ?? 0) in \(sequence)") }
        }
        return true
    }

    /// Applies one parameter, with those after it that belong to it, and returns whether it means something.
    private mutating func apply(_ code: Int, _ rest: inout ArraySlice<Int?>) -> Bool {
        switch code {
        case 38, 48:
            guard let color = extendedColor(&rest) else { return false }
            if code == 38 { cursor.style.foreground = color } else { cursor.style.background = color }
            return true
        default: return setColor(code) || setAttribute(code)
        }
    }

    private mutating func setColor(_ code: Int) -> Bool {
        switch code {
        case 30...37: cursor.style.foreground = .indexed(code - 30)
        case 39: cursor.style.foreground = .standard
        case 40...47: cursor.style.background = .indexed(code - 40)
        case 49: cursor.style.background = .standard
        case 90...97: cursor.style.foreground = .indexed(code - 90 + 8)
        case 100...107: cursor.style.background = .indexed(code - 100 + 8)
        default: return false
        }
        return true
    }

    private mutating func setAttribute(_ code: Int) -> Bool {
        switch code {
        case 0: cursor.style = Style()
        case 1: cursor.style.attributes.insert(.bold)
        case 2: cursor.style.attributes.insert(.dim)
        case 3: cursor.style.attributes.insert(.italic)
        case 4: cursor.style.attributes.insert(.underline)
        case 7: cursor.style.attributes.insert(.reverse)
        case 8: cursor.style.attributes.insert(.hidden)
        case 22: cursor.style.attributes.subtract([.bold, .dim])
        case 23: cursor.style.attributes.remove(.italic)
        case 24: cursor.style.attributes.remove(.underline)
        case 27: cursor.style.attributes.remove(.reverse)
        case 28: cursor.style.attributes.remove(.hidden)
        default: return false
        }
        return true
    }

    // MARK: Extended colours

    /// Reads what follows in `38;5;n` and `38;2;r;g;b`.
    private func extendedColor(_ rest: inout ArraySlice<Int?>) -> Color? {
        guard let kind = rest.popFirst().flatMap(\.self) else { return nil }
        let count = kind == 2 ? 3 : 1
        let channels = rest.prefix(count).map { $0 ?? 0 }
        rest = rest.dropFirst(count)
        return color(kind: kind, channels)
    }

    private func color(kind: Int, _ channels: [Int]) -> Color? {
        guard channels.allSatisfy({ (0...255).contains($0) }) else { return nil }
        switch (kind, channels.count) {
        case (5, 1): return .indexed(channels[0])
        case (2, 3): return .rgb(UInt32(channels[0]) << 16 | UInt32(channels[1]) << 8 | UInt32(channels[2]))
        default: return nil
        }
    }
}
