// SPDX-License-Identifier: Apache-2.0

import CTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension OwnedDescriptor {
    /// A new pseudo-terminal: this process's side of it, and the path of the other one.
    static func openTerminal() throws(SystemError) -> (descriptor: OwnedDescriptor, path: String) {
        var path = [CChar](repeating: 0, count: 128)
        let descriptor = try OwnedDescriptor(checked("openpt") { livery_open_terminal(&path, path.count) })
        let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (descriptor, String(decoding: bytes, as: UTF8.self))
    }

    /// Opens a terminal, without letting it control this process.
    convenience init(terminal path: String) throws(SystemError) {
        try self.init(checked("open", on: path) { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) })
    }

    /// Resizes the terminal; the kernel notifies the programs on it.
    func setTerminalSize(columns: Int, rows: Int) throws(SystemError) {
        try checked("ioctl") {
            livery_set_terminal_size(number, UInt16(clamping: columns), UInt16(clamping: rows))
        }
    }
}
