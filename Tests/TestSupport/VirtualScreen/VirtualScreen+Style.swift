// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// Performs SGR, and returns whether this is it.
    mutating func performStyle(_ sequence: ControlSequence) -> Bool {
        guard sequence.function == "m" else { return false }
        var parameters = sequence.parameters[...]
        if parameters.isEmpty { parameters = [[0]] }
        while let parameter = parameters.popFirst() {
            if !apply(parameter, &parameters) {
                recordViolation(
                    "style \(parameter.map { $0.map(String.init) ?? "" }.joined(separator: ":")) in \(sequence)"
                )
            }
        }
        return true
    }

    /// Applies one parameter, with those after it that belong to it, and returns whether it means something.
    private mutating func apply(_ parameter: [Int?], _ rest: inout ArraySlice<[Int?]>) -> Bool {
        let code = parameter.first.flatMap { $0 } ?? 0
        if [38, 48, 58].contains(code) {
            guard let color = extendedColor(parameter, &rest) else { return false }
            if code == 38 { cursor.style.foreground = color }
            if code == 48 { cursor.style.background = color }
            return true
        }
        if code == 4, parameter.count == 2 { return setUnderline(parameter[1] ?? 0) }
        guard parameter.count == 1 else { return false }
        return setColor(code) || setAttribute(code)
    }

    private mutating func setColor(_ code: Int) -> Bool {
        switch code {
        case 30...37: cursor.style.foreground = .indexed(code - 30)
        case 39: cursor.style.foreground = .standard
        case 40...47: cursor.style.background = .indexed(code - 40)
        case 49: cursor.style.background = .standard
        case 90...97: cursor.style.foreground = .indexed(code - 90 + 8)
        case 100...107: cursor.style.background = .indexed(code - 100 + 8)
        // The colour of the underline, which is not kept.
        case 59: break
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
        case 4, 21: cursor.style.attributes.insert(.underline)
        case 5, 6: cursor.style.attributes.insert(.blink)
        case 7: cursor.style.attributes.insert(.reverse)
        case 8: cursor.style.attributes.insert(.hidden)
        case 9: cursor.style.attributes.insert(.strikethrough)
        // The primary font.
        case 10: break
        case 22: cursor.style.attributes.subtract([.bold, .dim])
        case 23: cursor.style.attributes.remove(.italic)
        case 24: cursor.style.attributes.remove(.underline)
        case 25: cursor.style.attributes.remove(.blink)
        case 27: cursor.style.attributes.remove(.reverse)
        case 28: cursor.style.attributes.remove(.hidden)
        case 29: cursor.style.attributes.remove(.strikethrough)
        default: return false
        }
        return true
    }

    /// `4:n`: the kinds of underline, of which only none and some are distinguished.
    private mutating func setUnderline(_ kind: Int) -> Bool {
        guard (0...5).contains(kind) else { return false }
        if kind == 0 { return setAttribute(24) }
        return setAttribute(4)
    }

    // MARK: Extended colours

    /// Reads `38:5:n`, `38:2::r:g:b` and `38:2:r:g:b`, or the same with semicolons, which take parameters that follow.
    private func extendedColor(_ parameter: [Int?], _ rest: inout ArraySlice<[Int?]>) -> Color? {
        if parameter.count > 1 {
            let values = parameter.dropFirst().map { $0 }
            guard let kind = values.first.flatMap({ $0 }) else { return nil }
            // With a colour space, which may be left out between its colons, there is one value more.
            let channels = kind == 2 && values.count >= 5 ? values[2..<5] : values.dropFirst()
            return color(kind: kind, channels.map { $0 ?? 0 })
        }
        guard let kind = rest.popFirst()?.first.flatMap({ $0 }) else { return nil }
        let count = kind == 2 ? 3 : 1
        let channels = rest.prefix(count).map { $0.first.flatMap { $0 } ?? 0 }
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
