// SPDX-License-Identifier: Apache-2.0

/// A string for the terminal itself, such as a title: introducer, text, terminator.
struct ControlString: Equatable, Sendable {
    enum Kind: String, Sendable {
        case operatingSystem = "OSC"
        case device = "DCS"
        case privacy = "PM"
        case application = "APC"
        case start = "SOS"
        /// The sequence that sets screen's title.
        case screenTitle = "title"

        /// The kind that ESC and this byte start, or `nil` if they start none.
        init?(introducer: UInt8) {
            switch introducer {
            case UInt8(ascii: "]"): self = .operatingSystem
            case UInt8(ascii: "P"): self = .device
            case UInt8(ascii: "^"): self = .privacy
            case UInt8(ascii: "_"): self = .application
            case UInt8(ascii: "X"): self = .start
            case UInt8(ascii: "k"): self = .screenTitle
            default: return nil
            }
        }
    }

    let kind: Kind
    var bytes: [UInt8] = []
    var endsWithBell = false

    /// The text of the bytes, if they are UTF-8.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The terminator of the answer to a query, which is that of the query.
    var terminator: String { endsWithBell ? "\u{7}" : "\u{1B}\\" }

    /// The Linux console's palette strings have a fixed length: `OSC P nrrggbb` sets a colour, `OSC R` resets all.
    var isCompleteWithoutTerminator: Bool {
        guard kind == .operatingSystem else { return false }
        return bytes == [UInt8(ascii: "R")] || bytes.first == UInt8(ascii: "P") && bytes.count == 8
    }
}

extension ControlString.Kind: CustomStringConvertible {
    var description: String { rawValue }
}
