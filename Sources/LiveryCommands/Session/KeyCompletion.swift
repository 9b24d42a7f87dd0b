// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Dispatch
import Programs
import Synchronization

/// The keys of a server, for the shell to complete.
enum KeyCompletion {
    /// Completes the names of entries.
    ///
    /// - Parameters:
    ///   - kinds: the kinds whose names the argument takes.
    ///   - valid: the kind of which each of them must be a valid name; `nil` if it takes all of them.
    ///   - isName: whether the last of the words after the program's name may be a name.
    static func names(
        of kinds: EntryKind...,
        as valid: EntryKind? = nil,
        where isName: @escaping @Sendable ([String]) -> Bool = { _ in true }
    ) -> CompletionKind {
        completion(where: isName) { client in
            let names: [String]
            if kinds.contains(.value) {
                let now = try await client.snapshot(withSchemas: kinds.contains(.schema))
                let contents = NamespaceContents(of: now)
                names = kinds.flatMap { contents[$0].keys }
            } else {
                // Without the values, of which there may be many.
                names = try await client.entries(kinds[0]).entries.map(\.key)
            }
            return names.filter { valid?.problem(inName: $0) == nil }
        }
    }

    /// Completes deleted keys: their newest record on the first page of the history is a removal.
    static func deletedKeys() -> CompletionKind {
        completion { client in
            let records = try await client.historyPage(limit: 1000).records.filter { $0.kind == .value }
            var seen: Set<String> = []
            return records.filter { seen.insert($0.key).inserted && $0.value == nil }.map(\.key)
        }
    }

    /// Completes the ids of drafts.
    ///
    /// - Parameter state: only of those in this state or status.
    static func drafts(_ state: String = "open") -> CompletionKind {
        completion { try await $0.drafts(state: state).drafts.map(\.id) }
    }

    /// Completes names from the server and namespace that the command line names so far; none if the server does not answer
    /// at once, since completion has no place for messages.
    private static func completion(
        where isName: @escaping @Sendable ([String]) -> Bool = { _ in true },
        _ names: @escaping @Sendable (ServerClient) async throws -> [String]
    ) -> CompletionKind {
        .custom { arguments, _, prefix in
            guard isName(Array(arguments.dropFirst())) else { return [] }
            let environment = Program.environment
            guard let client = client(arguments: arguments, environment: environment) else { return [] }
            let answer = Answer()
            // The parser calls this synchronously, on a thread that has nothing else to do.
            let task = Task.detached {
                // A shell has no place for errors: it completes nothing then.
                let found = (try? await names(client)) ?? []
                answer.send(Set(found).filter { $0.utf8.starts(with: prefix.utf8) }.sorted())
            }
            defer { task.cancel() }
            return answer.wait(for: patience)
        }
    }

    /// The maximum time for which a shell waits.
    private static let patience = Duration.milliseconds(800)

    private static func client(arguments: [String], environment: [String: String]) -> ServerClient? {
        let names = [
            ["--server"], ["--namespace", "-n"], ["--token-file"], ["--insecure-host"], ["--ca-certificate"],
            ["--pinned-key"], ["--client-certificate"], ["--unix-socket"],
        ]
        let given = names.flatMap { names in values(of: names, in: arguments).flatMap { [names[0], $0] } }
        // As above: the command itself reports errors in its options.
        guard let options = try? ServerOptions.parse(given) else { return nil }
        return try? options.client(environment: environment, patience: patience) { _ in }
    }

    /// The values of an option in a command line, as `--name value` or `--name=value`. The last one applies, unless the option
    /// is repeatable.
    static func values(of names: [String], in arguments: [String]) -> [String] {
        arguments.enumerated().compactMap { index, argument in
            if names.contains(argument), index + 1 < arguments.count { return arguments[index + 1] }
            let name = names.first { argument.utf8.starts(with: ($0 + "=").utf8) }
            return name.map { String(argument.unicodeScalars.dropFirst($0.unicodeScalars.count + 1)) }
        }
    }

    /// Passes keys from a task to a thread that waits for them.
    private final class Answer: Sendable {
        private let keys = Mutex<[String]>([])
        private let isThere = DispatchSemaphore(value: 0)

        func send(_ keys: [String]) {
            self.keys.withLock { $0 = keys }
            isThere.signal()
        }

        func wait(for patience: Duration) -> [String] {
            let (seconds, attoseconds) = patience.components
            let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
            _ = isThere.wait(timeout: .now() + .nanoseconds(nanoseconds))
            return keys.withLock { $0 }
        }
    }
}
