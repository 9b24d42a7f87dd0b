// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The errors that make a schema unusable, all at once.
public struct SchemaError: Error, Hashable, Sendable {
    /// The errors, from 1 to 100.
    public let faults: [SchemaFault]
    /// The name of the input, such as `menu.schema.json`.
    public var source: String?

    /// The maximum number of errors reported per schema.
    static let maximumFaults = 100
}

extension SchemaError: CustomStringConvertible {
    /// One line per error, with the source, the position and the message.
    public var description: String {
        faults.map { [source, $0.description].compactMap(\.self).joined(separator: ": ") }.joined(separator: "\n")
    }
}

/// An error in a schema.
public struct SchemaFault: Hashable, Sendable {
    /// The position of the error, as a JSON Pointer (RFC 6901): `/properties/url/format`; empty for the whole schema.
    public let pointer: String
    /// The error and the next step, as one sentence without a full stop, for one line of a terminal.
    public let message: String
    /// The place in the text, if that is not JSON.
    public var location: TextLocation?
}

extension SchemaFault: CustomStringConvertible {
    /// The place and the message in one line.
    public var description: String {
        [location?.description ?? "", pointer.excerpt(ofScalars: 200), message].filter { !$0.isEmpty }
            .joined(separator: ": ")
    }
}
