// SPDX-License-Identifier: Apache-2.0

package import TerminalUI

/// Shows a screen of a fixture on the whole terminal until a key is pressed.
@MainActor
package struct FixtureApp {
    private let driver: any TerminalDriver
    private let draw: (Size, ColorMatcher) -> Grid

    /// - Parameter draw: draws the screen at a size, in colours.
    package init(driver: any TerminalDriver, draw: @escaping (Size, ColorMatcher) -> Grid) {
        (self.driver, self.draw) = (driver, draw)
    }

    /// - Returns: the signal that ended the program, if one did.
    package func run() async throws -> Int32? {
        var signal: Int32?
        let still = Still(size: driver.size, colors: ColorMatcher(depth: driver.depth), draw: draw)
        let loop = ScreenLoop(model: still, driver: driver) { end, loop in
            signal = end
            loop.end()
        }
        try driver.start { loop.post($0) }
        await loop.run()
        driver.stop()
        return signal
    }
}

/// A picture that stays until a key is pressed.
private struct Still: ScreenModel {
    var size: Size
    var colors: ColorMatcher
    let draw: (Size, ColorMatcher) -> Grid

    /// - Returns: the end of the program, if it ends, with the signal that it ends by.
    mutating func update(_ event: TerminalEvent) -> [Int32?] {
        switch event {
        case .resized(let size): self.size = size
        case .palette(let palette): colors = ColorMatcher(depth: colors.depth, palette: palette)
        case .signal(let signal): return [signal]
        case .hangUp, .input(.key): return [nil]
        case .input: break
        }
        return []
    }

    func view() -> Grid { draw(size, colors) }
}
