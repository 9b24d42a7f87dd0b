// SPDX-License-Identifier: Apache-2.0

/// A string for the terminal itself, such as a title: introducer, text, terminator.
struct ControlString: Equatable, Sendable {
    enum Kind: String, Sendable {
        case operatingSystem = "OSC"
        case device = "DCS"
        case privacy = "PM"
        case application = "APC"
        case start = "SOS"

        /// The kind that ESC and this byte start, or `nil` if they start none.
        init?(introducer: UInt8) {
            switch introducer {
            case UInt8(ascii: "]"): self = .operatingSystem
            case UInt8(ascii: "P"): self = .device
            case UInt8(ascii: "^"): self = .privacy
            case UInt8(ascii: "_"): self = .application
            case UInt8(ascii: "X"): self = .start
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
}

extension ControlString.Kind: CustomStringConvertible {
    var description: String { rawValue }
}
