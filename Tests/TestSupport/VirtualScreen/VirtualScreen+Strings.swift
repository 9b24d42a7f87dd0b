// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// Performs a string for the terminal: title, hyperlink, palette.
    mutating func perform(_ string: ControlString) {
        let isKnown =
            switch string.kind {
            case .operatingSystem: performCommand(string)
            case .screenTitle: setTitle(string.text)
            case .device, .privacy, .application, .start: false
            }
        if !isKnown { recordViolation("\(string.kind) string \(string.bytes.readable)") }
    }

    private mutating func performCommand(_ string: ControlString) -> Bool {
        let fields = string.text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        let value = fields.count > 1 ? String(fields[1]) : ""
        switch fields[0] {
        case "0", "2": return setTitle(value)
        // The title of the icon.
        case "1": return true
        case "4": return performPalette(value, string)
        case "8": return setHyperlink(value)
        // To set these two would change the user's own colours, which no program should.
        case "10": return value == "?"
        case "11": return reportBackground(value, string)
        case "12":
            cursorColor = parseColor(Substring(value))
            return cursorColor != nil
        case "112":
            cursorColor = nil
            return value.isEmpty
        case "104": return resetPalette(value)
        case "110", "111": return value.isEmpty
        case "R": return resetPalette("")
        case let console where console.hasPrefix("P"): return setConsoleColor(console.dropFirst())
        default: return false
        }
    }

    private mutating func setTitle(_ text: String) -> Bool {
        title = text
        return true
    }

    /// `params;address`; no address ends the link.
    private mutating func setHyperlink(_ value: String) -> Bool {
        guard let separator = value.firstIndex(of: ";") else { return false }
        let address = value[value.index(after: separator)...]
        hyperlink = address.isEmpty ? nil : String(address)
        return true
    }

    // MARK: Colours

    /// OSC 4: pairs of a number and a colour, or a question mark to ask for it.
    private mutating func performPalette(_ value: String, _ string: ControlString) -> Bool {
        let fields = value.split(separator: ";", omittingEmptySubsequences: false)
        guard !fields.isEmpty, fields.count.isMultiple(of: 2) else { return false }
        for pair in stride(from: 0, to: fields.count, by: 2) {
            guard let number = Int(fields[pair]), (0...255).contains(number) else { return false }
            if fields[pair + 1] == "?" {
                guard let color = paletteAnswer(number) else { continue }
                respond("\u{1B}]4;\(number);\(specification(color))\(string.terminator)")
            } else {
                guard let color = parseColor(fields[pair + 1]) else { return false }
                redefinedColors[number] = color
            }
        }
        return true
    }

    private func paletteAnswer(_ number: Int) -> UInt32? {
        configuration.answers.palette[number].map { redefinedColors[number] ?? $0 }
    }

    private mutating func reportBackground(_ value: String, _ string: ControlString) -> Bool {
        guard value == "?" else { return false }
        if let color = configuration.answers.background {
            respond("\u{1B}]11;\(specification(color))\(string.terminator)")
        }
        return true
    }

    private mutating func resetPalette(_ value: String) -> Bool {
        if value.isEmpty { redefinedColors = [:] }
        for field in value.split(separator: ";") {
            guard let number = Int(field) else { return false }
            redefinedColors[number] = nil
        }
        return true
    }

    /// `nrrggbb`, as the Linux console has it.
    private mutating func setConsoleColor(_ digits: Substring) -> Bool {
        guard let value = UInt32(digits, radix: 16) else { return false }
        redefinedColors[Int(value >> 24)] = value & 0xFF_FFFF
        return true
    }

    /// A colour in the form of XParseColor with four digits for each channel, which is what xterm answers.
    private func specification(_ color: UInt32) -> String {
        let channels = [color >> 16, color >> 8, color].map { UInt8(truncatingIfNeeded: $0).hexadecimal.lowercased() }
        return "rgb:" + channels.map { $0 + $0 }.joined(separator: "/")
    }

    /// Reads `rgb:r/g/b` with one to four digits for each channel, and `#rrggbb`.
    private func parseColor(_ text: Substring) -> UInt32? {
        if text.hasPrefix("#"), text.count == 7 { return UInt32(text.dropFirst(), radix: 16) }
        guard text.hasPrefix("rgb:") else { return nil }
        let channels = text.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false)
        guard channels.count == 3 else { return nil }
        return channels.reduce(UInt32?.some(0)) { color, channel in
            guard let color, (1...4).contains(channel.count), let value = UInt32(channel, radix: 16) else { return nil }
            let most = UInt32(1) << (4 * UInt32(channel.count)) - 1
            return color << 8 | (value * 255 + most / 2) / most
        }
    }
}
