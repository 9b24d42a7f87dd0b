#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension TerminfoEntry {
    /// The entry as tic(1) would compile it, with numbers of 32 bits (term(5), "Extended number format").
    var compiled: [UInt8] {
        let nameField = Array(names.joined(separator: "|").utf8) + [0]
        let table = StringTable(strings)
        var bytes = Self.shorts([0o1036, nameField.count, flags.count, numbers.count, strings.count, table.bytes.count])
        bytes += nameField + flags.map { $0 ? 1 : 0 }
        bytes.padToEven()
        bytes += numbers.flatMap { Self.int($0 ?? -1) }
        bytes += Self.shorts(table.offsets) + table.bytes
        if !extendedFlags.isEmpty {
            bytes.padToEven()
            bytes += extended
        }
        return bytes
    }

    private var extended: [UInt8] {
        let table = StringTable(extendedFlags.map { Array($0.utf8) })
        let count = extendedFlags.count
        var bytes = Self.shorts([count, 0, 0, count, table.bytes.count])
        bytes += [UInt8](repeating: 1, count: count)
        bytes.padToEven()
        return bytes + Self.shorts(table.offsets) + table.bytes
    }

    /// The value of the variable `TERMINFO` that makes curses use this entry (ncurses 6.1 and later).
    var variable: String {
        "b64:" + Data(compiled).base64EncodedString()
    }

    private static func shorts(_ values: [Int]) -> [UInt8] {
        values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func int(_ value: Int32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

/// Strings one after the other, each with a zero at its end, and their offsets; -1 for a missing one.
private struct StringTable {
    var bytes: [UInt8] = []
    var offsets: [Int] = []

    init(_ strings: [[UInt8]?]) {
        for string in strings {
            guard let string else {
                offsets.append(-1)
                continue
            }
            offsets.append(bytes.count)
            bytes += string + [0]
        }
    }
}

extension [UInt8] {
    fileprivate mutating func padToEven() {
        if !count.isMultiple(of: 2) { append(0) }
    }
}
