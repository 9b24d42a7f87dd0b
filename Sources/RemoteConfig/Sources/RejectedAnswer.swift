internal import ConfigModel
internal import Synchronization

/// The last answer of a source, if it was not usable, so that it need not be sent again while it stays the same.
final class RejectedAnswer: Sendable {
    private struct Answer {
        var validators: SourceValidators
        var error: ConfigError
    }

    private let answer = Mutex<Answer?>(nil)

    /// What the answer was marked with.
    var validators: SourceValidators? { answer.withLock { $0?.validators } }

    func remember(_ error: ConfigError, _ validators: SourceValidators) {
        let isMarked = validators.entityTag != nil || validators.lastModified != nil
        answer.withLock { $0 = isMarked ? Answer(validators: validators, error: error) : nil }
    }

    func forget() { answer.withLock { $0 = nil } }

    /// What is wrong, if "not modified" (304) is said of this answer and not of the good one that is known.
    ///
    /// - Parameters:
    ///   - tag: the entity tag of the 304. Where it has none and both were asked for, nobody knows which is meant; then
    ///     this answer is forgotten, so that the next request settles it.
    ///   - known: the marks of the good one.
    func error(confirmedBy tag: String?, besides known: SourceValidators?) -> ConfigError? {
        answer.withLock { answer in
            guard let rejected = answer else { return nil }
            let wasSingle = known?.entityTag == nil || rejected.validators.entityTag == nil
            switch (tag, wasSingle) {
            case (let tag?, _) where Self.isSame(tag, rejected.validators.entityTag): return rejected.error
            case (nil, true) where rejected.validators.entityTag != nil || known?.entityTag == nil:
                return rejected.error
            case (nil, false):
                answer = nil
                return rejected.error
            default:
                answer = nil
                return nil
            }
        }
    }

    /// Compares without strength (RFC 9110, section 8.8.3.2): a compressing proxy weakens tags.
    private static func isSame(_ left: String, _ right: String?) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return right.map { opaque(left) == opaque($0) } ?? false
    }
}

extension ConfigError {
    /// The same error, with how long the answer at fault stays what it is.
    func staying(for time: Duration?) -> ConfigError {
        var error = self
        error.freshFor = time
        return error
    }
}
