// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

struct SystemTests {
    // MARK: Folders

    @Test func makesAndRemovesAFolder() throws {
        let folder = try TemporaryDirectory()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)

        let file = try folder.write("hello é", to: "a/b/file.txt")
        #expect(file == folder.path(to: "a/b/file.txt"))
        #expect(try folder.read("a/b/file.txt") == Array("hello é".utf8))
        try folder.write(Data([0, 255]), to: "a/b/file.txt")
        #expect(try folder.read("a/b/file.txt") == [0, 255])

        folder.remove()
        folder.remove()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func removesTheFolderWithTheObject() throws {
        var folder: TemporaryDirectory? = try TemporaryDirectory()
        let path = try #require(folder?.path)
        #expect(FileManager.default.fileExists(atPath: path))
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func makesADifferentFolderEachTime() throws {
        let folders = try (0..<20).map { _ in try TemporaryDirectory() }
        #expect(Set(folders.map(\.path)).count == 20)
    }

    // MARK: Programs

    @Test func runsAProgramToItsEnd() throws {
        let output = try Command.shell("echo out; echo err >&2; cat; exit 4").run()
        #expect(output.status == .exited(4))
        #expect(output.standardOutput == "out\n")
        #expect(output.standardError == "err\n")
        #expect(try Command("true").run().status.isSuccess)
    }

    @Test func takesLongOutput() throws {
        let output = try Command("seq", ["1", "100000"]).run()
        #expect(output.standardOutput.hasSuffix("\n99999\n100000\n"))
    }

    @Test func killsAProgramThatTakesTooLong() throws {
        let error = try #require(throws: DeadlineExceeded.self) {
            try Command.shell("echo begun; exec tail -f /dev/null").run(deadline: .milliseconds(200))
        }
        #expect(error.description.contains("in vain for `/bin/sh -c echo begun; exec tail -f /dev/null` to end"))
    }

    @Test func watchesAProgramInTheBackground() throws {
        let script = "trap 'echo bye >&2; exit 6' TERM; echo listening; while :; do :; done"
        let program = try RunningCommand(.shell(script))
        try eventually("the program to listen") { program.standardOutput.contains("listening") }
        #expect(program.isRunning)
        try eventually("the program to have used the processor") { try program.usage().processorTime > .zero }
        #expect(program.send(signal: SIGTERM))
        #expect(try program.waitForExit() == .exited(6))
        #expect(program.standardError == "bye\n")
        #expect(!program.isRunning)
        #expect(try program.usage().processorTime > .zero)
    }

    @Test func killsWhatIsLeftInTheBackground() throws {
        var program: RunningCommand? = try RunningCommand(Command("tail", ["-f", "/dev/null"]))
        let process = try #require(program?.processIdentifier)
        #expect(ProcessState(of: process) == .active)
        program = nil
        try eventually("the program to be gone") { ProcessState(of: process) == .ended }
    }

    @Test func findsPrograms() {
        #expect(Command.isInstalled("sh"))
        #expect(!Command.isInstalled("no-such-program"))
        #expect(Command("sh", environment: ["PATH": "/nowhere:/bin"]).executablePath == "/bin/sh")
    }

    @Test func hasASmallEnvironment() {
        let environment = Command.environment(terminal: "vt100", adding: ["HOME": "/nowhere", "X": "1"])
        #expect(environment["TERM"] == "vt100")
        #expect(environment["HOME"] == "/nowhere")
        #expect(environment["X"] == "1")
        #expect(Set(environment.keys).isSubset(of: ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "TERM", "LANG", "X"]))
    }

    @Test func findsProducts() throws {
        #if os(Linux)
            let bundle = URL(filePath: CommandLine.arguments[0])
            let found = try builtProduct(named: bundle.lastPathComponent)
            #expect(URL(filePath: found).resolvingSymlinksInPath() == bundle.resolvingSymlinksInPath())
        #endif
        let error = try #require(throws: MissingProduct.self) { try builtProduct(named: "no-such-product") }
        #expect(error.description.contains("swift build --product no-such-product"))
        #expect(!error.folders.isEmpty)
        // A folder is no program.
        #expect(throws: MissingProduct.self) { try builtProduct(named: "..") }
    }

    // MARK: Random numbers

    @Test func drawsTheKnownSequence() {
        var random = SeededGenerator(seed: 1_234_567)
        let numbers = (0..<5).map { _ in random.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }
}
