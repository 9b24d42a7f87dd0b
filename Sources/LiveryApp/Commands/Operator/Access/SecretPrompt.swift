import ConfigModel
import Foundation
import Synchronization
import TerminalUI

/// Reads a secret from the terminal without showing it.
enum SecretPrompt {
    /// Asks on standard error and reads a line; what is typed is not shown, and the terminal is left as it was found,
    /// also if a signal ends the program meanwhile.
    ///
    /// - Returns: `nil` at the end of the input.
    static func read(_ question: String) -> String? {
        FileHandle.standardError.write(Data(question.sanitized().utf8))
        var former = termios()
        guard tcgetattr(STDIN_FILENO, &former) == 0 else { return readLine() }
        let signals = SignalTrap([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
        // Ctrl-Z would leave the shell without an echo.
        withUnsafeMutableBytes(of: &silent.c_cc) {
            $0[Int(VSUSP)] = UInt8(truncatingIfNeeded: fpathconf(STDIN_FILENO, Int32(_PC_VDISABLE)))
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        let line = readLineOrSignal()
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
        if signals.restore() { FileHandle.standardError.write(Data("\n".utf8)) }
        signals.raiseCaught()
        return line
    }

    /// A line, byte by byte, since what follows it is somebody else's; `nil` at the end or when a signal came.
    private static func readLineOrSignal() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Foundation.read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

/// The last signal that a trap has caught; a handler can reach nothing else.
private let caughtSignal = Atomic<Int32>(0)

/// Keeps signals until there has been time to tidy up.
private struct SignalTrap {
    private var former: [(signal: Int32, action: sigaction)] = []

    /// Lets these signals interrupt what the program waits for, and do nothing more for now.
    init(_ signals: [Int32]) {
        caughtSignal.store(0, ordering: .relaxed)
        for signal in signals {
            var action = sigaction()
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = { caughtSignal.store($0, ordering: .relaxed) }
            #else
                action.__sigaction_handler.sa_handler = { caughtSignal.store($0, ordering: .relaxed) }
            #endif
            var before = sigaction()
            if sigaction(signal, &action, &before) == 0 { former.append((signal, before)) }
        }
    }

    /// - Returns: whether a signal was caught.
    func restore() -> Bool {
        for (signal, action) in former {
            var action = action
            sigaction(signal, &action, nil)
        }
        return caughtSignal.load(ordering: .relaxed) != 0
    }

    func raiseCaught() {
        let signal = caughtSignal.load(ordering: .relaxed)
        if signal != 0 { raise(signal) }
    }
}
