// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Dispatch
internal import Files
internal import Logging
internal import Synchronization

/// Keeps the latest document for the next launch, and repeats a write that has failed, until the keeper is released.
final class DocumentKeeper: Sendable {
    private let local: any LocalDocumentLoader
    private let logger: Logger?
    /// The document that is not written yet. It is locked during a write, so that the latest document is written last.
    private let unwritten = Mutex<[UInt8]?>(nil)
    private let repeated: RepeatedWrite

    init(_ local: any LocalDocumentLoader, _ logger: Logger?, clock: any SyncClock) {
        (self.local, self.logger) = (local, logger)
        let queue = DispatchQueue(label: "livery.document")
        repeated = RepeatedWrite { pause, body in clock.call(at: clock.elapsed + pause, on: queue, body) }
    }

    /// The last attempt.
    deinit { write() }

    func keep(_ document: [UInt8]) {
        unwritten.withLock { $0 = document }
        write()
    }

    private func write() {
        let problem = unwritten.withLock { document -> ConfigError? in
            guard let bytes = document else { return nil }
            do throws(ConfigError) {
                try local.persist(bytes)
                document = nil
                return nil
            } catch {
                return error
            }
        }
        guard let problem else { return repeated.succeeded() }
        // Logged once, however often it is tried.
        if repeated.failures == 0 {
            logger?.warning("cannot cache the document", metadata: problem.metadata())
        }
        repeated.failed { [weak self] in self?.write() }
    }
}
