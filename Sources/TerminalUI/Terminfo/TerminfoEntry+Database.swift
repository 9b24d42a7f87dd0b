internal import CNCurses

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension TerminfoEntry {
    /// Looks a terminal up in the database of this machine; `nil` if it is not there.
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
    /// The bytes of a string in C as they are: those of terminals with controls of eight bits are no UTF-8.
    init(cString: UnsafePointer<CChar>) {
        self = UnsafeBufferPointer(start: cString, count: strlen(cString)).map { UInt8(bitPattern: $0) }
    }
}
