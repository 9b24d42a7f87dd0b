// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The settings of a terminal's line (`termios`), to be compared before and after a program ran.
package struct TerminalAttributes: Hashable, Sendable {
    /// `c_iflag`.
    package let input: UInt64
    /// `c_oflag`.
    package let output: UInt64
    /// `c_cflag`.
    package let control: UInt64
    /// `c_lflag`.
    package let local: UInt64
    /// `c_cc`.
    package let controlCharacters: [UInt8]

    /// Reads the attributes of the terminal behind a descriptor.
    init(of descriptor: OwnedDescriptor) throws(SystemError) {
        var raw = termios()
        try checked("tcgetattr") { tcgetattr(descriptor.number, &raw) }
        input = UInt64(raw.c_iflag)
        output = UInt64(raw.c_oflag)
        control = UInt64(raw.c_cflag)
        local = UInt64(raw.c_lflag)
        controlCharacters = withUnsafeBytes(of: raw.c_cc) { Array($0) }
    }

    /// Whether the terminal shows what is typed.
    package var echoes: Bool { local & UInt64(ECHO) != 0 }
}
