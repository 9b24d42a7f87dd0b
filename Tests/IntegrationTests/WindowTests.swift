// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// The colour of a pixel in a real window, on a screen in memory.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct WindowTests {
        /// The colour in the upper left corner of the window, as ImageMagick writes it.
        private func corner(of terminal: String, environment: [String: String] = [:]) throws -> String {
            let folder = try TemporaryDirectory()
            let config = try folder.write(RunningDemo.pink, to: "config.json")
            let picture = folder["window.png"]
            let livery = try builtProduct(named: "livery")
            let all = Command.environment(adding: environment.merging(["LIVERY": livery]) { given, _ in given })
            let taken = try Command(
                sourceFile("Scripts/screenshot").path,
                [terminal, picture, config],
                environment: all
            )
            .run(deadline: .seconds(90))
            try #require(taken.status == .exited(0), "\(taken.standardError)")
            let pixel = Command("convert", [picture, "-format", "%[pixel:p{6,6}]", "info:"])
            return try pixel.run().standardOutput
        }

        @Test func kittyShowsTheRequestedColourExactly() throws {
            #expect(try corner(of: "kitty") == "srgb(255,182,193)")
        }

        @Test func xtermShowsExactTrueColour() throws {
            #expect(try corner(of: "xterm", environment: ["XTERM_COLORTERM": "truecolor"]) == "srgb(255,182,193)")
        }
    }
#endif
