import ArgumentParser
import ConfigModel
import Files
import Foundation
import Synchronization
import TerminalUI

/// Asks for confirmation before a change that is hard to undo.
enum Confirmation {
    /// - Throws: a usage error where there is no terminal to ask on.
    static func requireTerminal() throws {
        guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else {
            throw ValidationError("There is no terminal to ask on; use --yes to go ahead without a question.")
        }
    }

    /// Asks on standard error; anything but `y` or `yes` is no, and so is the end of the input.
    static func isGiven(_ question: String) -> Bool {
        try? Output.error.write("\(question.sanitized()) [y/N] ")
        return isYes(readLine() ?? "")
    }

    static func isYes(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
    }
}

/// Reads a secret from the terminal without showing it.
enum SecretPrompt {
    /// Asks on standard error and reads a line without echoing it; `nil` at the end of the input. The terminal is
    /// restored afterwards, even if a signal ends the program meanwhile.
    static func read(_ question: String) -> String? {
        try? Output.error.write(question.sanitized())
        var former = termios()
        guard tcgetattr(STDIN_FILENO, &former) == 0 else { return Swift.readLine() }
        let signals = SignalTrap([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
        // Ctrl-Z would leave the shell without an echo.
        withUnsafeMutableBytes(of: &silent.c_cc) {
            $0[Int(VSUSP)] = UInt8(truncatingIfNeeded: fpathconf(STDIN_FILENO, Int32(_PC_VDISABLE)))
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        let line = readSecret(or: signals)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
        if signals.restore() { try? Output.error.write("\n") }
        signals.raiseCaught()
        return line
    }

    /// A line, byte by byte, since what follows it is for someone else; `nil` at the end of the input or after a signal.
    private static func readSecret(or signals: SignalTrap) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while signals.waitForInput(), Foundation.read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

/// Where handlers write the signals that they catch; a handler can reach globals only.
private let signalPipe = Atomic<Int32>(-1)

/// Holds signals back until the terminal is restored. A signal may arrive on any thread and need not interrupt what
/// this one waits for; hence the pipe.
private final class SignalTrap {
    private var former: [(signal: Int32, action: sigaction)] = []
    private var ends: [Int32] = [-1, -1]
    private var caught: Int32?

    init(_ signals: [Int32]) {
        guard pipe(&ends) == 0 else { return }
        signalPipe.store(ends[1], ordering: .releasing)
        for signal in signals {
            var action = sigaction()
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = Self.handler
            #else
                action.__sigaction_handler.sa_handler = Self.handler
            #endif
            var before = sigaction()
            if sigaction(signal, &action, &before) == 0 { former.append((signal, before)) }
        }
    }

    private static let handler: @convention(c) (Int32) -> Void = { signal in
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(signalPipe.load(ordering: .acquiring), &byte, 1)
    }

    /// Waits until standard input can be read or has ended; `false` if a signal came first.
    func waitForInput() -> Bool {
        var descriptors = [STDIN_FILENO, ends[0]].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&descriptors, nfds_t(descriptors.count), -1) < 0, errno == EINTR {}
        var byte: UInt8 = 0
        guard descriptors[1].revents & Int16(POLLIN) != 0, read(ends[0], &byte, 1) == 1 else { return true }
        caught = Int32(byte)
        return false
    }

    /// Gives signals back their former actions; says whether one was caught.
    func restore() -> Bool {
        for (signal, action) in former {
            var action = action
            sigaction(signal, &action, nil)
        }
        signalPipe.store(-1, ordering: .releasing)
        for end in ends where end >= 0 { close(end) }
        return caught != nil
    }

    /// Ends the process by the signal that was caught. A plain `raise` would wait forever on a thread that blocks it.
    func raiseCaught() {
        if let caught { endProcess(by: caught) }
    }
}
