import Foundation

/// Writes to standard output, and says so if that is not possible.
enum StandardOutput {
    /// - Throws: ``OutputError`` if the output is closed or full.
    static func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw OutputError(reason: String(cString: strerror(errno))) }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}

/// Standard output takes nothing: closed, or its disk is full.
struct OutputError: Error, CustomStringConvertible {
    let reason: String

    var description: String { "Standard output cannot be written to: \(reason)" }
}

/// Writes lines to standard error. There is no one to tell if that fails.
enum StandardError {
    static func write(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
