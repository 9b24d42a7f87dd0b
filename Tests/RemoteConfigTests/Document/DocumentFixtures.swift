// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import Synchronization
import TestSupport

struct Settings: Codable, Hashable, Sendable {
    var minVersion: String
}

func json(_ version: String) -> [UInt8] { Array(#"{"minVersion":"\#(version)"}"#.utf8) }

/// Keeps a document in memory.
final class FakeLocalLoader: LocalDocumentLoader {
    private let kept: Mutex<[UInt8]?>
    let persisted = Log<[UInt8]>()
    let refusal: ConfigError?

    init(_ kept: [UInt8]? = nil, refusal: ConfigError? = nil) {
        self.kept = Mutex(kept)
        self.refusal = refusal
    }

    func fetch() throws(ConfigError) -> [UInt8]? { kept.withLock(\.self) }

    func persist(_ document: [UInt8]) throws(ConfigError) {
        if let refusal { throw refusal }
        kept.withLock { $0 = document }
        persisted.append(document)
    }
}

/// Answers as the test specifies, at once or on request.
final class FakeRemoteLoader: RemoteDocumentLoader {
    typealias Answer = Result<RemoteDocumentReading, ConfigError>

    private struct State {
        var answers: [Answer] = []
        var waiting: [CheckedContinuation<Answer, Never>] = []
        var tags: [String?] = []
    }

    private let state = Mutex(State())

    init(_ answers: Answer...) { state.withLock { $0.answers = answers } }

    /// The tags of the requests so far.
    var tags: [String?] { state.withLock(\.tags) }
    var isAsked: Bool { state.withLock { !$0.waiting.isEmpty } }

    func fetch(after tag: String?) async throws(ConfigError) -> RemoteDocumentReading {
        let answer = await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> Answer? in
                state.tags.append(tag)
                if !state.answers.isEmpty { return state.answers.removeFirst() }
                state.waiting.append(continuation)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
        return try answer.get()
    }

    func answer(_ answer: Answer) {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?.resume(returning: answer)
    }
}

extension FakeRemoteLoader.Answer {
    static func document(_ version: String, tag: String? = nil) -> Self { .success(.document(json(version), tag: tag)) }
    static var offline: Self { .failure(ConfigError(.unreachable, "no network")) }
}

/// The effect of a refresh.
enum Refreshed: Hashable {
    case changed
    case unchanged
    case failed(ConfigError)
}

extension RemoteDocument {
    func refreshed() async -> Refreshed {
        do throws(ConfigError) { return try await refresh() ? .changed : .unchanged } catch { return .failed(error) }
    }
}
