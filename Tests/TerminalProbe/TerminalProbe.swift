// SPDX-License-Identifier: Apache-2.0

import Foundation
import TerminalUI

/// A full-screen program that fails on demand, for tests of what a terminal is left like.
///
/// It shows its name, and on a key: `t` traps, `o` overflows the stack, `e` writes to standard error, `q` leaves, `l`
/// gives the terminal back and stays, `h` hangs until there is a file `continue`.
@main
enum TerminalProbe {
    @MainActor
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let driver = try CursesDriver(profile: TerminalProfile(choice: .auto, environment: environment))
        try driver.start { event in handle(event, driver) }
        show("probe", driver)
        // A key or a signal ends it.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    @MainActor
    private static func handle(_ event: TerminalEvent, _ driver: CursesDriver) {
        switch event {
        case .input(.key(.character("t"))):
            [Int]().withUnsafeBufferPointer { _ in preconditionFailure("probe trapped") }
        case .input(.key(.character("o"))): print(overflow(1))
        case .input(.key(.character("e"))):
            try? FileHandle.standardError.write(contentsOf: Data("a message\n".utf8))
            show("written", driver)
        case .input(.key(.character("q"))):
            driver.stop()
            exit(0)
        case .input(.key(.character("l"))):
            driver.stop()
            try? FileHandle.standardError.write(contentsOf: Data("it stays\n".utf8))
        case .input(.key(.character("h"))):
            show("it hangs", driver)
            while !FileManager.default.fileExists(atPath: "continue") { usleep(1000) }
            show("it goes on", driver)
        case .signal(let signal):
            driver.stop()
            endProcess(by: signal)
        default: break
        }
    }

    @MainActor
    private static func show(_ text: String, _ driver: CursesDriver) {
        var grid = Grid(size: driver.size, base: Style(foreground: .standard, background: .indexed(4)))
        grid.write(text, at: Point(column: 0, row: 0), style: grid.base)
        driver.present(grid)
    }

    @inline(never)
    private static func overflow(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { memory in
            memory.storeBytes(of: depth, as: Int.self)
            return overflow(depth + 1) + Int(memory[depth % 4096])
        }
    }
}
