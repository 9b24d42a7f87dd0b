// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// Why something is no schema that values can be checked by: all its mistakes at once.
public struct SchemaError: Error, Hashable, Sendable {
    /// The mistakes, at least one, and no more than 100.
    public let faults: [SchemaFault]
    /// The name of what was read, such as `menu.schema.json`.
    public var source: String?

    /// The most faults that are told of one schema.
    static let maximumFaults = 100
}

extension SchemaError: CustomStringConvertible {
    /// A line for each mistake, with the source, the place and the message.
    public var description: String {
        faults.map { [source, $0.description].compactMap(\.self).joined(separator: ": ") }.joined(separator: "\n")
    }
}

/// A mistake in a schema.
public struct SchemaFault: Hashable, Sendable {
    /// Where it is, as a JSON Pointer (RFC 6901): `/properties/url/format`; empty for the whole.
    public let pointer: String
    /// What is wrong and what to do, as one sentence without a full stop, for one line of a terminal.
    public let message: String
    /// The place in the text, where that is no JSON.
    public var location: TextLocation?
}

extension SchemaFault: CustomStringConvertible {
    /// The place and the message in one line.
    public var description: String {
        [location?.description ?? "", pointer.excerpt(ofScalars: 200), message].filter { !$0.isEmpty }
            .joined(separator: ": ")
    }
}
