// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Logging

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
