// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

/// A program on a real terminal, the other side of which is this object.
///
/// The program leads a new session that the terminal controls: Ctrl-C sends it SIGINT, a new size sends it SIGWINCH,
/// and ``hangUp()`` sends it SIGHUP. Everything it writes is kept in ``bytesReceived`` and shown on ``screen``, and
/// what the screen answers is sent back to it.
///
/// ```swift
/// let terminal = try PseudoTerminal(running: Command(try builtProduct(named: "livery")))
/// try terminal.readUntil { $0.contains("Quit") }
/// try terminal.write("q")
/// #expect(try terminal.waitForExit() == .exited(0))
/// #expect(terminal.screen.violations == [])
/// ```
///
/// The kernel does not stop the only group of a session when Ctrl-Z is pressed, since no process could resume it. To test
/// stopping, run the program from an interactive shell on this terminal.
///
/// The program is killed when this object goes away. Its methods block; see ``onDedicatedThread(_:)``.
package final class PseudoTerminal {
    /// The running command.
    package let command: Command
    /// The visible screen after everything read so far.
    package var screen: VirtualScreen
    /// Every byte read from the terminal so far.
    package internal(set) var bytesReceived: [UInt8] = []

    /// The settings of the terminal's line before the program got it.
    package let initialAttributes: TerminalAttributes

    package let child: ChildProcess
    /// The path of the other side.
    private let path: String
    /// This side of the terminal; `nil` once closed.
    var terminal: OwnedDescriptor?
    /// The output has ended, though the terminal may be asked for its settings still.
    var hasOutputEnded = false
    /// The pending input of the program.
    var pendingInput: [UInt8] = []
    /// The delay of the terminal's answers; `nil` without one.
    var slowLine: SlowLine?

    /// Starts a program on a new terminal.
    ///
    /// - Parameters:
    ///   - command: The program, with its arguments and its whole environment.
    ///   - columns: The terminal's width.
    ///   - rows: The terminal's height.
    ///   - configuration: The kind of terminal that ``screen`` is, and its answers.
    ///   - line: The delay of the terminal's answers; `nil` without one.
    /// - Throws: ``SystemError`` if there is no terminal to be had, or the program cannot be run.
    package init(
        running command: Command,
        columns: Int = 80,
        rows: Int = 24,
        configuration: VirtualScreen.Configuration = .xterm,
        line: SlowLine? = nil
    ) throws {
        slowLine = line
        let (terminal, path) = try OwnedDescriptor.openTerminal()
        self.path = path
        // While the other side is closed, not every system lets this side be queried for settings.
        let otherSide = try OwnedDescriptor(terminal: path)
        initialAttributes = try TerminalAttributes(of: otherSide)

        var request = SpawnRequest(command: command)
        request.terminal = (path, columns, rows)

        self.command = command
        screen = VirtualScreen(columns: columns, rows: rows, configuration: configuration)
        child = try ChildProcess(request)
        withExtendedLifetime(otherSide) {}
        self.terminal = terminal
        try terminal.becomeNonBlocking()
    }

    deinit {
        terminal = nil
        child.send(signal: SIGKILL)
    }

    // MARK: The terminal

    /// The settings of the terminal's line, as the program has them now or left them.
    package func terminalAttributes() throws -> TerminalAttributes {
        try TerminalAttributes(of: openTerminal())
    }

    /// The process group that gets what is typed and the signals of keys: that of the program, or of a shell's job.
    package func foregroundProcessGroup() throws -> pid_t {
        let terminal = try openTerminal()
        return try checked("tcgetpgrp") { tcgetpgrp(terminal.number) }
    }

    /// Resizes the terminal; the kernel notifies the program by SIGWINCH.
    ///
    /// Output for the old size may still be pending, and so be outside the new one.
    package func resize(columns: Int, rows: Int) throws {
        let terminal = try openTerminal()
        screen.resize(columns: columns, rows: rows)
        try terminal.setTerminalSize(columns: columns, rows: rows)
    }

    /// Stops the output of the program, as a line does that has stalled.
    package func stopOutput() throws {
        let otherSide = try OwnedDescriptor(terminal: path)
        _ = try checked("tcflow") { tcflow(otherSide.number, TCOOFF) }
    }

    /// Closes this side, as when a window is closed or a connection breaks: the kernel sends SIGHUP to the program.
    package func hangUp() {
        terminal = nil
        pendingInput = []
    }

    func openTerminal() throws(SystemError) -> OwnedDescriptor {
        guard let terminal else { throw SystemError(call: "terminal", subject: "closed by hangUp()", code: EBADF) }
        return terminal
    }
}

extension PseudoTerminal: ChildProgram {
    /// Reads until the program ends and everything it wrote is read.
    ///
    /// - Throws: ``WaitError`` if it still runs after the deadline.
    package func waitForExit(within deadline: Duration, _ fileID: StaticString, _ line: UInt) throws -> ExitStatus {
        let limit = Deadline(after: deadline)
        while try step(until: limit) != .over, !limit.hasPassed {}
        if let status = exitStatus { return status }
        throw waitError("the program to end", after: deadline, fileID, line)
    }

    /// Kills the program if it still runs, and waits until it has ended.
    package func close() throws {
        hangUp()
        child.send(signal: SIGKILL)
        _ = try child.waitForEnd(until: Deadline(after: .seconds(10)))
    }
}

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
