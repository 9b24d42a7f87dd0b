// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Logging

extension ConfigError {
    /// What a line of the log says of the error: its message is always the same, and what differs is metadata.
    ///
    /// - Parameter source: whose error it is; the default is what it says itself.
    func metadata(of source: String? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["error.code": "\(code.rawValue)", "error.message": "\(self)"]
        metadata["source"] = (source ?? self.source).map { "\($0)" }
        return metadata
    }
}
