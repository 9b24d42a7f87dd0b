// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// Performs a string for the terminal: title, hyperlink, palette.
    mutating func perform(_ string: ControlString) {
        if string.kind != .operatingSystem || !performCommand(string) {
            recordViolation("\(string.kind) string \(string.bytes.readable)")
        }
    }

    private mutating func performCommand(_ string: ControlString) -> Bool {
        let fields = string.text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        let value = fields.count > 1 ? String(fields[1]) : ""
        switch fields[0] {
        case "0", "2":
            title = value
            return true
        case "4": return performPalette(value, string)
        case "8": return setHyperlink(value)
        // To set it would change the user's own colour, which no program should.
        case "11": return reportBackground(value, string)
        case "12":
            cursorColor = parseColor(value)
            return cursorColor != nil
        case "112":
            cursorColor = nil
            return value.isEmpty
        default: return false
        }
    }

    /// `params;address`; no address ends the link.
    private mutating func setHyperlink(_ value: String) -> Bool {
        guard let separator = value.firstIndex(of: ";") else { return false }
        let address = value[value.index(after: separator)...]
        hyperlink = address.isEmpty ? nil : String(address)
        return true
    }

    // MARK: Colours

    /// OSC 4: pairs of a number and a question mark. To set a colour would change the user's own palette.
    private mutating func performPalette(_ value: String, _ string: ControlString) -> Bool {
        let fields = value.split(separator: ";", omittingEmptySubsequences: false)
        guard !fields.isEmpty, fields.count.isMultiple(of: 2) else { return false }
        for pair in stride(from: 0, to: fields.count, by: 2) {
            guard let number = Int(fields[pair]), (0...255).contains(number), fields[pair + 1] == "?" else {
                return false
            }
            guard let color = configuration.answers.palette[number] else { continue }
            respond("\u{1B}]4;\(number);\(specification(color))\(string.terminator)")
        }
        return true
    }

    private mutating func reportBackground(_ value: String, _ string: ControlString) -> Bool {
        guard value == "?" else { return false }
        if let color = configuration.answers.background {
            respond("\u{1B}]11;\(specification(color))\(string.terminator)")
        }
        return true
    }

    /// A colour in the form of XParseColor with four digits for each channel, which is what xterm answers.
    private func specification(_ color: UInt32) -> String {
        let channels = [color >> 16, color >> 8, color].map { UInt8(truncatingIfNeeded: $0).hexadecimal.lowercased() }
        return "rgb:" + channels.map { $0 + $0 }.joined(separator: "/")
    }

    /// Reads `#rrggbb`.
    private func parseColor(_ text: String) -> UInt32? {
        text.hasPrefix("#") && text.utf8.count == 7 ? UInt32(text.dropFirst(), radix: 16) : nil
    }
}
