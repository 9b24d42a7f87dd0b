// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import ConfigModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The program to start, and its files. `nil` is `/dev/null`, or the terminal if there is one.
struct SpawnRequest {
    /// A terminal for the program to be controlled by.
    typealias Terminal = (path: String, columns: Int, rows: Int)

    var command: Command
    var terminal: Terminal?
    var standardOutput: OwnedDescriptor?
    var standardError: OwnedDescriptor?

    /// Starts the program with default signal handling and no descriptors beyond the three, and returns its id.
    func spawn() throws(SystemError) -> pid_t {
        guard let path = command.executablePath else {
            throw SystemError(call: "exec", subject: command.executable, code: ENOENT)
        }
        let arguments = CStrings([command.executable] + command.arguments)
        let environment = CStrings(command.environment.map { "\($0)=\($1)" }.sorted())
        let paths = CStrings([path, command.workingDirectory, terminal?.path])
        defer { withExtendedLifetime((arguments, environment, paths)) {} }

        var request = livery_spawn_request()
        request.path = UnsafePointer(paths.pointers[0])
        request.directory = UnsafePointer(paths.pointers[1])
        request.terminal = UnsafePointer(paths.pointers[2])
        request.arguments = UnsafePointer(arguments.pointers)
        request.environment = UnsafePointer(environment.pointers)
        request.columns = UInt16(clamping: terminal?.columns ?? 0)
        request.rows = UInt16(clamping: terminal?.rows ?? 0)
        request.output = standardOutput?.number ?? -1
        request.error = standardError?.number ?? -1

        var identifier: pid_t = 0
        let code = livery_spawn(&request, &identifier)
        if code != 0 { throw SystemError(call: "spawn", subject: command.executable, code: code) }
        return identifier
    }
}

/// Copies of strings for C, with a null pointer for each that is missing and one at the end.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String?]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() {
            pointers[index] = string.flatMap { $0.withPathBytes { strdup($0) } }
        }
        pointers[count] = nil
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
