import CTestSupport
import Foundation
import TestSupport
import Testing

@testable import TerminalUI

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

struct TerminalDeviceTests {
    /// The last bytes restore the screen: a window that is resized meanwhile must not cut them off.
    @Test func writesTheLastBytesThroughSignals() async throws {
        var name = [CChar](repeating: 0, count: 128)
        let terminal = livery_open_terminal(&name, name.count)
        try #require(terminal >= 0)
        defer { close(terminal) }
        let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let device = try TerminalDevice(at: path)
        defer { device.release() }
        device.enterRawMode()
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)

        async let writing: Void = onDedicatedThread {
            withInterruptions { device.finish(sending: bytes[...]) }
            // What a reader sees last.
            _ = device.send([UInt8(ascii: "!")])
        }
        let received = try await onDedicatedThread {
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1000)
            while received.last != UInt8(ascii: "!") {
                // As slow as a terminal over a thin line.
                _ = poll(nil, 0, 2)
                let count = read(terminal, &buffer, buffer.count)
                guard count > 0 else { break }
                received += buffer[..<count]
            }
            return received.count
        }
        try await writing
        #expect(received == bytes.count + 1)
    }
}
