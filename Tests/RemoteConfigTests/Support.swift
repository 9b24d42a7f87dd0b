import ConfigModel
import Foundation
import HTTPTransport
import RemoteConfig
import Synchronization
import Testing

/// A folder of its own for one test, deleted at the end.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        // Resolved, since the system's own folder for temporary files may be a link.
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        path = parent.appending(path: "livery-tests-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(name: String) -> String { path + "/" + name }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self[name], withIntermediateDirectories: true)
    }

    /// Writes into the file that is there, or makes one; the file is cut to its new length at the end.
    func write(_ text: String, to name: String) throws {
        try change(name, O_WRONLY | O_CREAT) { descriptor in
            try put(text, to: descriptor)
            try check(ftruncate(descriptor, off_t(text.utf8.count)))
        }
    }

    /// Empties the file, then writes, as shells do.
    func truncateAndWrite(_ text: String, to name: String) throws {
        try change(name, O_WRONLY | O_CREAT | O_TRUNC) { try put(text, to: $0) }
    }

    /// Writes another file and moves it to the name, as editors do.
    func replace(_ name: String, with text: String) throws {
        try write(text, to: name + ".new")
        try move(name + ".new", to: name)
    }

    func move(_ name: String, to other: String) throws {
        try check(rename(self[name], self[other]))
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: self[name])
    }

    func link(_ name: String, to target: String) throws {
        try check(symlink(target, self[name]))
    }

    /// What `ln -sfn` does: another link is made and moved to the name.
    func relink(_ name: String, to target: String) throws {
        try link(name + ".new", to: target)
        try move(name + ".new", to: name)
    }

    func allow(_ mode: mode_t, on name: String) throws {
        try check(chmod(self[name], mode))
    }

    private func change(_ name: String, _ flags: Int32, _ body: (Int32) throws -> Void) throws {
        let descriptor = open(self[name], flags | O_CLOEXEC, 0o644)
        try check(descriptor)
        defer { close(descriptor) }
        try body(descriptor)
    }

    private func put(_ text: String, to descriptor: Int32) throws {
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes { unsafe in Foundation.write(descriptor, unsafe.baseAddress, unsafe.count) }
        if count != bytes.count { throw POSIXError(.EIO) }
    }
}

/// Throws what a system call reports.
func check(_ result: Int32) throws {
    if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// A test waited in vain.
struct Overdue: Error, CustomStringConvertible {
    let description: String
}

/// Waits until a condition holds, for 20 s at most.
func until(_ expectation: String, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(100)
    while try await !condition() {
        if ContinuousClock.now > deadline { throw Overdue(description: "waited in vain until \(expectation)") }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// What tests of different threads note.
final class Log<Entry: Sendable>: Sendable {
    private let storage = Mutex<[Entry]>([])

    var entries: [Entry] { storage.withLock(\.self) }

    func append(_ entry: Entry) { storage.withLock { $0.append(entry) } }
}

/// A running service, its state, and all that it has announced.
struct RunningService: Sendable {
    let service: SyncService
    let updates = Log<ConfigDidUpdate>()
    let statuses = Log<SyncStatus>()

    var current: ConfigState.Current { service.state.current }
    var problem: ConfigError? { current.status.problem }
    func value(_ key: String) -> ConfigValue? { current.snapshot.entries[key]?.value }

    /// Waits until a key has a value.
    func shows(_ value: ConfigValue?, for key: String = "k") async throws {
        try await until("\(key) is \(value.debugDescription) instead of \(current)") { self.value(key) == value }
    }
}

/// Runs a service on a notification centre of its own while the body runs.
func following<Outcome>(
    _ source: some ConfigSource,
    _ body: (RunningService) async throws -> Outcome
) async throws -> Outcome {
    let center = NotificationCenter()
    let running = RunningService(service: SyncService(source: source, notificationCenter: center))
    let listeners = [
        listen(to: ConfigDidUpdate.self, of: running.service.state, on: center) { running.updates.append($0) },
        listen(to: SyncStatusDidChange.self, of: running.service.state, on: center) {
            running.statuses.append($0.status)
        },
    ]
    defer { for listener in listeners { listener.cancel() } }
    let run = Task { await running.service.run() }
    defer { run.cancel() }
    let outcome = try await body(running)
    run.cancel()
    await run.value
    return outcome
}

/// Hears every message from the moment of the call.
private func listen<Message: NotificationCenter.AsyncMessage>(
    to type: Message.Type,
    of subject: Message.Subject,
    on center: NotificationCenter,
    _ note: @escaping @Sendable (Message) -> Void
) -> Task<Void, Never> where Message.Subject: AnyObject {
    // The sequence listens from the moment its iterator is made.
    var messages = center.messages(of: subject, for: type, bufferSize: 10_000).makeAsyncIterator()
    return Task {
        while let message = await messages.next(isolation: #isolation) { note(message) }
    }
}

extension HTTPTimeouts {
    /// For tests that are not about time, on a machine that has other things to do.
    static let patient = HTTPTimeouts(answer: .seconds(100), idle: .seconds(100), total: nil)
}
