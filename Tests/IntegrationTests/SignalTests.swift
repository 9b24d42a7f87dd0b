// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// However the program ends, the terminal is as it was, and the parent sees why.
@Suite(.timeLimit(.minutes(5)))
struct SignalTests {
    private func expectRestored(_ terminal: PseudoTerminal) throws {
        #expect(try terminal.terminalAttributes() == terminal.initialAttributes)
        #expect(terminal.screen.modes == VirtualScreen(columns: 1, rows: 1).modes)
        #expect(!terminal.screen.isAlternate)
        #expect(terminal.screen.violations == [])
    }

    /// All signals of the system without KILL, STOP and others that stop a program. Of the real-time ones, the first and the last.
    private static let signals: [Int32] = {
        let stops = [SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU]
        #if os(Linux)
            return (1..<32).filter { !stops.contains($0) } + [34, 64]
        #else
            return (1..<32).filter { !stops.contains($0) }
        #endif
    }()

    /// The signals that end no program, or none that has asked for errors instead.
    private static let harmless: Set<Int32> = {
        var signals: Set = [SIGCHLD, SIGCONT, SIGPIPE, SIGURG, SIGWINCH, SIGXFSZ]
        #if os(macOS)
            signals.formUnion([SIGINFO, SIGIO])
        #endif
        return signals
    }()

    enum Moment: CaseIterable { case start, mainScreen, panel }

    @Test(arguments: signals, Moment.allCases)
    func everySignalRestoresTheTerminalAndIsSeenByTheParent(signal: Int32, moment: Moment) throws {
        let demo = try RunningDemo(waitingFor: moment == .start ? "" : "live ")
        switch moment {
        case .start:
            let before = demo.terminal.initialAttributes
            try until("raw mode") { try demo.terminal.terminalAttributes() != before }
        case .mainScreen: break
        case .panel: try demo.type("?", until: "Refresh from the source")
        }
        demo.terminal.send(signal: signal)
        if Self.harmless.contains(signal) {
            if moment == .panel { try demo.terminal.write("\u{1B}") }
            try demo.terminal.readUntil("the main screen") {
                $0.contains("live ") && !$0.contains("Refresh from the source")
            }
            #expect(try demo.quit() == .exited(0))
        } else {
            #expect(try demo.terminal.waitForExit() == .signaled(signal))
        }
        try expectRestored(demo.terminal)
    }

    /// The editor has the terminal then. It ends, and the terminal is as it was before it.
    @Test(arguments: [SIGTERM, SIGHUP, SIGUSR1, SIGQUIT, SIGSEGV])
    func aSignalDuringTheEditorRestoresTheTerminal(signal: Int32) throws {
        let folder = try TemporaryDirectory()
        try folder.write(
            """
            trap "printf '\\033[?1049l'; exit" HUP
            stty raw -echo; printf '\\033[?1049hthe editor'
            while :; do sleep 0.05; done
            """,
            to: "editor"
        )
        let demo = try RunningDemo(environment: ["EDITOR": "sh \(folder["editor"])"])
        try demo.type("iE", until: "the editor")
        let start = demo.terminal.bytesReceived.count
        demo.terminal.send(signal: signal)
        #expect(try demo.terminal.waitForExit() == .signaled(signal))
        try expectRestored(demo.terminal)
        let output = String(decoding: demo.terminal.bytesReceived[start...], as: UTF8.self)
        #expect(!output.contains("\u{1B}[?1049h"), "taken again")
    }

    /// A terminal that answers late: the first signal waits for its answers.
    @Test(arguments: [SIGTERM, SIGUSR1, SIGQUIT, SIGSEGV])
    func aSecondSignalDoesNotCutTheRestore(second: Int32) throws {
        let script = """
            "$0"; echo "status $?"; stty -icanon -echo; echo "shell reads"
            IFS= read -r -d $'\\004' text; printf 'shell got %q\\n' "$text"
            """
        let demo = try RunningDemo(
            line: SlowLine(seed: UInt64(second), latency: .milliseconds(1200)),
            wrapper: ["bash", "--norc", "-i", "-c", script],
            waitingFor: "Quit"
        )
        let terminal = demo.terminal
        let program = try terminal.foregroundProcessGroup()
        kill(program, SIGBUS)
        try terminal.readUntil("the shell's screen") { !$0.isAlternate }
        kill(program, second)
        try terminal.readUntil("the shell") { $0.contains("shell reads") }
        #expect(terminal.screen.contains("status \(128 + SIGBUS)"), "\(terminal.screen)")
        try terminal.finishAnswers()
        try terminal.write("\u{4}")
        try terminal.readUntil("its input") { $0.contains("shell got ''") }
    }

    private func probe() throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(running: Command(try builtProduct(named: "TerminalProbe")))
        try terminal.readUntil { $0.contains("probe") }
        return terminal
    }

    @Test func aTrapShowsItsMessageOnTheRestoredScreen() throws {
        let terminal = try probe()
        try terminal.write("t")
        let status = try terminal.waitForExit()
        #expect(status == .signaled(SIGILL) || status == .signaled(SIGTRAP))
        #expect(terminal.screen.contains("probe trapped"))
        #expect(!terminal.screen.contains("backtrace"))
        try expectRestored(terminal)
    }

    @Test func anOverflowOfTheStackRestoresTheTerminal() throws {
        let terminal = try probe()
        try terminal.write("o")
        #expect(try terminal.waitForExit() == .signaled(SIGSEGV))
        try expectRestored(terminal)
    }

    @Test func messagesToStandardErrorWaitUntilTheScreenIsFree() throws {
        let terminal = try probe()
        try terminal.write("e")
        try terminal.readUntil { $0.contains("written") }
        #expect(!terminal.screen.contains("a message"))
        try terminal.write("q")
        #expect(try terminal.waitForExit() == .exited(0))
        #expect(terminal.screen.contains("a message"))
    }

    /// Under kitty's keyboard protocol, Ctrl-C is a key, which a program that hangs does not read.
    @Test func controlCEndsAProgramThatHangs() throws {
        let folder = try TemporaryDirectory()
        let answers = VirtualScreen.Answers(deviceAttributes: "?62;22", hasKeyboardProtocol: true)
        let terminal = try PseudoTerminal(
            running: Command(try builtProduct(named: "TerminalProbe"), workingDirectory: folder.path),
            configuration: VirtualScreen.Configuration(answers: answers)
        )
        for isLast in [false, true] {
            try terminal.readUntil("keys") { $0.keyboardFlags == 1 }
            try terminal.write("h")
            try terminal.readUntil("a hang") { $0.contains("it hangs") }
            try terminal.write("x")
            try terminal.readUntil("characters for keys") { $0.keyboardFlags == 0 }
            if isLast { break }
            try folder.write("", to: "continue")
            try terminal.readUntil("the program") { $0.contains("it goes on") }
            try folder.remove("continue")
        }
        try until("its end") {
            // The program may end before it takes the next one.
            _ = try? terminal.write("\u{3}")
            return terminal.exitStatus != nil
        }
        #expect(try terminal.waitForExit() == .signaled(SIGINT))
        try expectRestored(terminal)
    }

    /// Signals that come while a program still ends: what a stopped one is continued by leaves the terminal alone.
    @Test func aTerminalThatWasGivenBackIsNotTakenAgain() throws {
        let terminal = try probe()
        try terminal.write("l")
        try terminal.readUntil { $0.contains("it stays") }
        try expectRestored(terminal)
        terminal.send(signal: SIGCONT)
        terminal.send(signal: SIGINT)
        #expect(try terminal.waitForExit() == .signaled(SIGINT))
        try expectRestored(terminal)
    }

    /// The signal handlers are installed after everything that can fail.
    @Test func controlCWithoutScreenEndsTheProgram() throws {
        let silent = try ScriptedServer { _, _ in
            try until("the end of the test") { false }
        }
        let demo = try RunningDemo(
            terminal: "dumb",
            config: nil,
            arguments: [silent.url().absoluteString],
            waitingFor: "Cannot show the full screen"
        )
        try until("it requests the configuration") { !silent.requests.isEmpty }
        #if os(Linux)
            let folder = "/proc/\(demo.terminal.processIdentifier)/fd"
            let open = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            #expect(open.count { $0.hasPrefix("/dev/pts/") } == 3, "\(open)")
        #endif
        try demo.terminal.write("\u{3}")
        #expect(try demo.terminal.waitForExit() == .signaled(SIGINT))
    }

    /// An interactive shell that runs the program in its foreground.
    private func shell(
        in folder: TemporaryDirectory,
        configuration: VirtualScreen.Configuration = .xterm
    ) throws -> PseudoTerminal {
        try folder.write(RunningDemo.pink, to: "config.json")
        let shell = try PseudoTerminal(
            running: Command("bash", ["--norc", "-i"], workingDirectory: folder.path),
            configuration: configuration
        )
        try shell.write("PS1='ready> '; clear\r")
        try shell.readUntil("the shell's prompt") { $0.text(row: 0) == "ready>" }
        try shell.write("\(try builtProduct(named: "livery"))\r")
        try shell.readUntil("the first frame") { $0.isAlternate && $0.contains("Quit") }
        return shell
    }

    @Test func controlZStopsAndForegroundUsesTheNewSize() throws {
        let folder = try TemporaryDirectory()
        let shell = try shell(in: folder)
        try shell.write("\u{1A}")
        try shell.readUntil("the shell") { !$0.isAlternate && $0.contains("Stopped") }
        try shell.resize(columns: 100, rows: 30)
        try shell.write("fg\r")
        try shell.readUntil("the whole screen at its new size") { screen in
            screen.isAlternate && screen.text(row: 29).contains("Quit") && screen.backgrounds().count <= 2
        }
        try shell.write("q")
        try shell.readUntil("the shell") { !$0.isAlternate }
    }

    /// Signals that the system sends to programs in the background, and others to any.
    @Test(arguments: [SIGTSTP, SIGTTIN, SIGTTOU]) func aStopGivesTheTerminalBack(signal: Int32) throws {
        let folder = try TemporaryDirectory()
        let shell = try shell(in: folder)
        kill(try shell.foregroundProcessGroup(), signal)
        try shell.readUntil("the shell") { !$0.isAlternate && $0.contains("Stopped") }
        #expect(shell.screen.modes.isDisjoint(with: [1002, 1004, 1006]) && shell.screen.violations == [])
        try shell.write("fg\r")
        try shell.readUntil("the whole screen") { $0.isAlternate && $0.contains("Quit") }
        try shell.write("q")
        try shell.readUntil("the shell") { !$0.isAlternate }
    }

    /// A second Ctrl-Z comes while the program still waits for answers of the terminal.
    @Test func secondCtrlZStopsNothingAfterForeground() throws {
        let folder = try TemporaryDirectory()
        let shell = try shell(
            in: folder,
            configuration: VirtualScreen.Configuration(answers: VirtualScreen.Answers())
        )
        try shell.write("\u{1A}")
        try shell.readUntil("the shell's screen") { !$0.isAlternate }
        try shell.write("\u{1A}")
        try shell.readUntil("the shell") { $0.contains("Stopped") }
        try shell.write("clear; fg\r")
        try shell.readUntil("the whole screen") { $0.isAlternate && $0.contains("Quit") }
        try shell.write("q")
        try shell.readUntil("the shell") { !$0.isAlternate && $0.contains("ready>") }
        #expect(!shell.screen.contains("Stopped"), "\(shell.screen)")
    }

    /// The terminal is the shell's until `fg`, whatever continues the program, and however the source changes.
    @Test(arguments: ["bg", "kill -CONT %1"]) func aProgramInTheBackgroundDrawsNothing(command: String) throws {
        let folder = try TemporaryDirectory()
        let shell = try shell(in: folder)
        let program = try shell.foregroundProcessGroup()
        try shell.write("\u{1A}")
        try shell.readUntil("the shell") { !$0.isAlternate && $0.contains("Stopped") }
        try shell.write("\(command) > /dev/null; clear\r")
        try shell.readUntil("the shell's prompt") { $0.text(row: 0) == "ready>" }
        let start = shell.bytesReceived.count
        try waitUntilItRunsInTheBackground(program)
        try folder.write(RunningDemo.sky, to: "config.json")
        try waitUntilItRunsInTheBackground(program)
        try shell.write("echo he''re\r")
        try shell.readUntil("the shell's answer") { $0.text(row: 1) == "here" && $0.text(row: 2) == "ready>" }
        let written = String(decoding: shell.bytesReceived[start...], as: UTF8.self)
        #expect(!written.contains("\u{1B}[?1049") && !written.contains("#87CEFA"))
        try shell.write("fg\r")
        try shell.readUntil("the whole screen") { $0.isAlternate && $0.contains("#87CEFA") && $0.contains("Quit") }
        try shell.write("q")
        try shell.readUntil("the shell") { !$0.isAlternate }
        #expect(shell.screen.title == "" && shell.screen.violations == [])
    }

    @Test func aTerminalThatGoesAwayEndsTheProgram() throws {
        let demo = try RunningDemo()
        demo.terminal.hangUp()
        let status = try demo.terminal.waitForExit(deadline: .seconds(2))
        #expect(status == .signaled(SIGHUP) || status == .exited(0))
    }

    @Test func aStoppedTerminalIsLeftInOrder() throws {
        let demo = try RunningDemo()
        try demo.terminal.stopOutput()
        try demo.overwrite(RunningDemo.sky)
        try demo.terminal.write("q")
        #expect(try demo.terminal.waitForExit() == .exited(0))
        try expectRestored(demo.terminal)
    }
}
