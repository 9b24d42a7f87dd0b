// SPDX-License-Identifier: Apache-2.0

internal import CNCurses
internal import Essentials

/// A terminal's entry in the terminal database, by the numbering of its compiled form (see term(5)).
struct TerminfoEntry: Hashable, Sendable {
    /// The terminal's name, and its aliases after it.
    var names: [String]
    /// Flags by their number; those beyond the end are off.
    var flags: [Bool]
    /// Numbers by their number; `nil` where the terminal has none.
    var numbers: [Int32?]
    /// Strings by their number; `nil` where the terminal has none.
    var strings: [[UInt8]?]
    /// Flags that the numbering does not know, such as `RGB`; all are on.
    var extendedFlags: [String] = []
}

extension TerminfoEntry {
    /// The places of the capabilities that this program uses, from term(5)'s list as compiled.
    enum Place {
        static let maximumColors = 13
        static let maximumPairs = 14
        static let noColorVideo = 15
        static let cursorAddress = 10
        static let exitAttributes = 39
        static let originalPair = 297
        static let originalColors = 298
        static let initializeColor = 299
        static let mouse = 355
        static let setForeground = 302
        static let setBackground = 303
        static let setANSIForeground = 359
        static let setANSIBackground = 360
    }

    /// The same terminal with another number of colours: 8, 16 and 256 use the sequences of ECMA-48 and xterm, 2^24 those of
    /// ISO 8613-6 with semicolons, which more terminals support than colons.
    func with(_ depth: ColorDepth) -> TerminfoEntry {
        var entry = self
        let colors = Self.colors(at: depth)
        entry.set(colors?.count, atNumber: Place.maximumColors)
        entry.set(colors.map { min($0.count * $0.count, 0x7FFF) }, atNumber: Place.maximumPairs)
        entry.set(nil, atNumber: Place.noColorVideo)
        for place in [Place.initializeColor, Place.originalColors, Place.setForeground, Place.setBackground] {
            entry.set(nil, atString: place)
        }
        // Every cell sets its own colours, so a full reset suffices: five bytes fewer per frame.
        entry.set(colors == nil ? nil : "\u{1B}[m", atString: Place.originalPair)
        entry.set("\u{1B}[m", atString: Place.exitAttributes)
        entry.set(colors?.foreground, atString: Place.setANSIForeground)
        entry.set(colors?.background, atString: Place.setANSIBackground)
        entry.extendedFlags = depth == .direct ? ["RGB"] : []
        return entry
    }

    private static func colors(at depth: ColorDepth) -> (count: Int, foreground: String, background: String)? {
        switch depth {
        case .monochrome: nil
        case .ansi8: (8, "\u{1B}[3%p1%dm", "\u{1B}[4%p1%dm")
        case .ansi16: (16, bright(3, 9), bright(4, 10))
        case .indexed256: (256, "\u{1B}[38;5;%p1%dm", "\u{1B}[48;5;%p1%dm")
        case .direct: (1 << 24, direct(38), direct(48))
        }
    }

    private static func bright(_ normal: Int, _ bright: Int) -> String {
        "\u{1B}[%?%p1%{8}%<%t\(normal)%p1%d%e\(bright)%p1%{8}%-%d%;m"
    }

    private static func direct(_ introducer: Int) -> String {
        "\u{1B}[\(introducer);2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm"
    }

    private mutating func set(_ value: Int?, atNumber place: Int) {
        numbers += Array(repeating: nil, count: max(place + 1 - numbers.count, 0))
        numbers[place] = value.map(Int32.init)
    }

    private mutating func set(_ value: String?, atString place: Int) {
        strings += Array(repeating: nil, count: max(place + 1 - strings.count, 0))
        strings[place] = value.map { Array($0.utf8) }
    }
}

extension TerminfoEntry {
    /// Looks up a terminal in the database of this machine; `nil` without an entry.
    @MainActor
    init?(named name: String) {
        guard !name.isEmpty, lvy_terminfo_load(name) != 0 else { return nil }
        defer { lvy_terminfo_unload() }
        names = [name]
        flags = Self.all(lvy_terminfo_flag_name).map { lvy_terminfo_flag($0) != 0 }
        numbers = Self.all(lvy_terminfo_number_name).map { name in
            let number = lvy_terminfo_number(name)
            return number >= 0 ? number : nil
        }
        strings = Self.all(lvy_terminfo_string_name).map { name in
            lvy_terminfo_string(name).map { [UInt8](cString: $0) }
        }
        extendedFlags = ["RGB", "Tc"].filter { lvy_terminfo_flag($0) != 0 || lvy_terminfo_number($0) > 0 }
    }

    private static func all(_ name: (Int32) -> UnsafePointer<CChar>?) -> [UnsafePointer<CChar>] {
        var names: [UnsafePointer<CChar>] = []
        while let next = name(Int32(names.count)) { names.append(next) }
        return names
    }
}

extension [UInt8] {
    /// The bytes of a C string as they are: those of terminals with controls of eight bits are not UTF-8.
    init(cString: UnsafePointer<CChar>?) {
        let places = cString.map { start in sequence(first: start) { $0 + 1 }.prefix { $0.pointee != 0 } }
        self = (places ?? []).map { UInt8(bitPattern: $0.pointee) }
    }
}

extension TerminfoEntry {
    /// The number of colours of the terminal by the database.
    var depth: ColorDepth {
        if extendedFlags.contains("RGB") { return .direct }
        let count = numbers.count > Place.maximumColors ? numbers[Place.maximumColors] ?? 0 : 0
        return ColorDepth(colors: Int(count))
    }

    /// Whether it has a mouse that reports as xterm's does: the best sign that its other sequences are xterm's too.
    var isXtermLike: Bool {
        string(at: Place.mouse)?.starts(with: "\u{1B}[".utf8) ?? false
    }

    func string(at place: Int) -> [UInt8]? {
        place < strings.count ? strings[place] : nil
    }
}

extension TerminfoEntry {
    /// The entry as tic(1) would compile it, with numbers of 32 bits (term(5), "Extended number format").
    var compiled: [UInt8] {
        let nameField = Array(names.joined(separator: "|").utf8) + [0]
        let table = Self.table(of: strings)
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
        let table = Self.table(of: extendedFlags.map { Array($0.utf8) })
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

    /// Strings one after the other, each with a zero at its end, and their offsets; -1 for a missing one.
    private static func table(of strings: [[UInt8]?]) -> (bytes: [UInt8], offsets: [Int]) {
        var bytes: [UInt8] = []
        let offsets = strings.map { string in
            guard let string else { return -1 }
            defer { bytes += string + [0] }
            return bytes.count
        }
        return (bytes, offsets)
    }

    private static func shorts(_ values: [Int]) -> [UInt8] {
        values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func int(_ value: Int32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

extension [UInt8] {
    fileprivate mutating func padToEven() {
        if !count.isMultiple(of: 2) { append(0) }
    }
}
