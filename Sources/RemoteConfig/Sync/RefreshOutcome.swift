// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The outcome of a refresh.
package enum RefreshOutcome: Hashable, Sendable {
    /// These keys have new values, sorted.
    case changed(keys: [String])
    /// The source has other values than the current ones for these keys, sorted; they wait for
    /// ``RemoteConfigService/activate()`` or for the next launch. This occurs only if changes are staged.
    case staged(keys: [String])
    /// The values of the source are shown already.
    case unchanged
    /// The source could not be read; the current values stay.
    case failed(ConfigError)
}

extension RefreshOutcome {
    /// The outcome of a read.
    ///
    /// - Parameters:
    ///   - shown: the keys whose shown values have changed.
    ///   - staged: the keys whose values wait, if any do.
    init(shown: [String], staged: Set<String>?) {
        if let staged, !staged.isEmpty {
            self = .staged(keys: staged.sorted())
        } else {
            self = shown.isEmpty ? .unchanged : .changed(keys: shown)
        }
    }

    /// The keys with new values, as ``RemoteConfigService/refresh(timeout:)`` returns them.
    func changedKeys() throws -> [String] {
        switch self {
        case .changed(let keys): return keys
        case .staged, .unchanged: return []
        case .failed(let error):
            if error.code == .cancelled { try Task.checkCancellation() }
            throw error
        }
    }
}
