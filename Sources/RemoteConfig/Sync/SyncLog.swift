// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Logging

/// The lines of the log about a source: the message is always the same, and what differs is metadata. None of it is a value.
struct SyncLog: Sendable {
    let source: String
    let logger: Logger?
    /// Whether the source has layers, which log their own errors.
    var isOfLayers = false
    /// Whether the source is a layer, whose rules are those of the whole.
    var isOfLayer = false

    /// The maximum number of keys in a line, and of lines about rules at once.
    static let maximumLines = 20

    func show(_ problem: ConfigError?, after former: ConfigError?) {
        guard let logger, problem != former, !isOfLayers else { return }
        guard let problem else {
            logger.info("source recovered", metadata: ["source": "\(source)"])
            return
        }
        logger.warning("source error", metadata: problem.metadata(of: source))
    }

    func show(_ changedKeys: [String], in snapshot: EntrySnapshot) {
        logger?.debug("configuration changed", metadata: metadata(of: changedKeys, in: snapshot))
    }

    /// Logs the key and the place of the value; the message of the error contains the value.
    func cannotRead(_ error: ConfigError) {
        if error.code == .invalidRule {
            if !isOfLayer { logger?.warning("cannot evaluate a rule", metadata: error.metadata(of: source)) }
            return
        }
        if [.invalidKey, .conflict].contains(error.code) {
            logger?.warning("rejected a call of the program", metadata: error.metadata(of: source))
            return
        }
        var problem = error
        problem.message = """
            the value is of another type than the program reads, or outside its limits; ConfigState.problems has the \
            details
            """
        logger?.warning("type mismatch of a value", metadata: problem.metadata(of: source))
    }

    func isReadBeforeRun() {
        let message: Logger.Message = "missing value, and the service is not running; call run() to follow the source"
        logger?.notice(message, metadata: ["source": "\(source)"])
    }

    func cacheIsDamaged(_ error: ConfigError) {
        logger?.warning("cache error", metadata: error.metadata(of: source))
    }

    func cannotWriteCache(_ error: ConfigError) {
        logger?.warning(
            "cannot write the cache; the next start may lack recent changes",
            metadata: error.metadata(of: source)
        )
    }

    private func metadata(of keys: [String], in snapshot: EntrySnapshot) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "source": "\(source)", "revision": "\(snapshot.revision)", "keys.count": "\(keys.count)",
            "keys": .array(keys.prefix(Self.maximumLines).map { "\($0)" }),
        ]
        if let cursor = snapshot.cursor {
            metadata["epoch"] = "\(cursor.epoch)"
            metadata["server.revision"] = "\(cursor.revision)"
        }
        return metadata
    }
}

extension ConfigError {
    /// The metadata of the error for a log line, whose message is constant.
    ///
    /// - Parameter source: the source of the error; by default its own.
    func metadata(of source: String? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["error.code": "\(code.rawValue)", "error.message": "\(self)"]
        metadata["source"] = (source ?? self.source).map { "\($0)" }
        return metadata
    }
}
