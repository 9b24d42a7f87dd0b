// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigRules
public import Essentials
public import Logging
internal import Observing
internal import Synchronization

/// One JSON document as a value of a type of yours: there from the first frame, and replaced when the source has
/// another one.
///
/// ```swift
/// struct Settings: Codable, Sendable { var minVersion: String }
///
/// let settings = try RemoteDocument<Settings>(
///     bundledDefault: Bundle.main.url(forResource: "settings", withExtension: "json"),
///     local: FileDocumentLoader(path: "/home/me/.cache/app/settings.json"),
///     remote: HTTPDocumentLoader(url: url)
/// )
/// print(settings.current.minVersion)
/// do { try await settings.refresh() } catch { print(error) }
/// ```
///
/// A document from the source in an earlier run takes precedence over the bundled default, as long as it can still be decoded.
/// The bundled default is never stored, so that each program uses its own. A document that cannot be written, as on a full
/// disk, is written as soon as possible: after pauses of 0.2 s to 30 s, and once more when this object is released.
public final class RemoteDocument<Value: Codable & Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        /// The number of earlier values.
        var number = 0
        /// The document as it came from the source, and its tag; `nil` for a bundled default.
        var source: [UInt8]?
        var tag: String?
    }

    private let observed: Observed<State>
    private let loading = Mutex<Task<Result<Bool, ConfigError>, Never>?>(nil)
    private let keeper: DocumentKeeper
    private let remote: any RemoteDocumentLoader
    private let clock: any SyncClock
    // What is read on request alone needs no random pauses.
    private let quiet = Mutex(QuietTimes(Pauses(policy: ConnectionPolicy()) { 0 }))

    /// Creates a document with a default from the code.
    ///
    /// - Parameters:
    ///   - bundledDefault: the value until the source has answered, if none is stored from an earlier run.
    ///   - local: keeps what came from the source.
    ///   - remote: fetches the document from its source.
    ///   - logger: logs failed writes, and stored documents that cannot be decoded; `nil` disables it. The metadata is
    ///     `source`, `error.code` and `error.message`.
    public convenience init(
        bundledDefault: Value,
        local: some LocalDocumentLoader,
        remote: some RemoteDocumentLoader,
        logger: Logger? = nil
    ) {
        self.init(bundledDefault, local, remote, logger, clock: SystemSyncClock())
    }

    /// Creates a document whose time is a test's.
    package init(
        _ bundledDefault: Value,
        _ local: some LocalDocumentLoader,
        _ remote: some RemoteDocumentLoader,
        _ logger: Logger? = nil,
        clock: any SyncClock
    ) {
        (self.remote, self.clock) = (remote, clock)
        keeper = DocumentKeeper(local, logger, clock: clock)
        observed = Observed(Self.kept(by: local, logger) ?? State(value: bundledDefault))
    }

    /// Creates a document with a default from a file.
    ///
    /// - Parameters:
    ///   - bundledDefault: the file from a bundle; `nil` if the bundle does not contain it.
    ///   - local: keeps what came from the source.
    ///   - remote: fetches the document from its source.
    ///   - logger: logs failed writes, and stored documents that cannot be decoded; `nil` disables it.
    /// - Throws: `notFound` or `unreadable` if the default is missing, `tooLarge` if it has more than 8 MiB, `typeMismatch` if
    ///   it cannot be decoded. The default is checked even if another value is used, since a program without its default is
    ///   incomplete.
    public convenience init(
        bundledDefault: URL?,
        local: some LocalDocumentLoader,
        remote: some RemoteDocumentLoader,
        logger: Logger? = nil
    ) throws(ConfigError) {
        let value = try Self.decode(BundledFile.content(of: bundledDefault), from: bundledDefault?.lastPathComponent)
        self.init(bundledDefault: value, local: local, remote: remote, logger: logger)
    }

    /// The value now.
    public var current: Value { observed.read(\.value) }

    /// The value now, and then each that the source sends.
    ///
    /// A slow reader skips values but always gets the newest. The sequence ends when its task is cancelled.
    public func updates() -> some AsyncSequence<Value, Never> & Sendable {
        observed.updates(of: \.number) { state, _ in state.value }
    }

    /// Fetches the document now. A request during another one joins it.
    ///
    /// The request continues when the waiting task is cancelled, since others may wait for it as well.
    ///
    /// - Returns: Whether there is another document now.
    /// - Throws: `ConfigError` if the source has no document that can be read as the type; the value stays. While the
    ///   source asks not to be contacted (`Retry-After`), this is the error of the last request.
    @discardableResult
    public func refresh() async throws(ConfigError) -> Bool {
        if let error = quiet.withLock({ $0.error(at: clock.elapsed) }) { throw error }
        let task = loading.withLock { loading in
            if let loading { return loading }
            // The task cannot end before it is entered here, because it clears the entry under the same lock.
            let task = EvaluationContext.withoutCurrent { Task { await self.loadOnce() } }
            loading = task
            return task
        }
        return try await task.value.get()
    }
}

extension RemoteDocument {
    private func loadOnce() async -> Result<Bool, ConfigError> {
        let outcome: Result<Bool, ConfigError>
        do throws(ConfigError) {
            outcome = .success(try await load())
        } catch {
            outcome = .failure(error)
            _ = quiet.withLock { $0.readFailed(error, at: clock.elapsed) }
        }
        loading.withLock { $0 = nil }
        return outcome
    }

    /// - Returns: whether there is another document now.
    private func load() async throws(ConfigError) -> Bool {
        let known = observed.value
        guard case .document(let bytes, let tag) = try await remote.fetch(after: known.tag) else { return false }
        if bytes == known.source {
            observed.replace(with: State(value: known.value, number: known.number, source: bytes, tag: tag))
            return false
        }
        let value = try Self.decode(bytes, from: nil)
        keeper.keep(bytes)
        observed.replace(with: State(value: value, number: known.number + 1, source: bytes, tag: tag))
        return true
    }

    /// The document stored by an earlier run; `nil` if there is none that this program can decode.
    private static func kept(by local: some LocalDocumentLoader, _ logger: Logger?) -> State? {
        do throws(ConfigError) {
            guard let bytes = try local.fetch() else { return nil }
            return State(value: try decode(bytes, from: "the cached document"), source: bytes)
        } catch {
            let message: Logger.Message = "ignoring the cached document, using the bundled default"
            logger?.warning(message, metadata: error.metadata())
            return nil
        }
    }

    private static func decode(_ bytes: [UInt8], from source: String?) throws(ConfigError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            let message = "cannot decode the document as \(Value.self): \(CodingFault(error).description)"
            throw ConfigError(.typeMismatch, message, source: source, underlying: error)
        }
    }
}
