// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Essentials
internal import Files

/// A file among the resources of a program.
enum BundledFile {
    /// - Parameter file: the file; `nil` if the bundle does not contain it.
    /// - Throws: `notFound`, `tooLarge` or `unreadable`.
    static func content(of file: URL?) throws(ConfigError) -> [UInt8] {
        guard let file else {
            throw ConfigError(.notFound, "the bundled default is missing; add it to the resources of the program")
        }
        do throws(FileError) {
            return try FileContent.bytes(at: file.path(percentEncoded: false), atMost: ConfigDocument.maximumBytes)
        } catch {
            let (code, message): (ConfigError.Code, String) =
                if error.isTooLarge {
                    (.tooLarge, "is larger than 8 MiB; make it smaller")
                } else if error.isMissing {
                    (.notFound, "is missing; add it to the resources of the program")
                } else {
                    (.unreadable, "cannot be read; check its permissions")
                }
            let source = file.lastPathComponent
            throw ConfigError(code, "the bundled default " + message, source: source, underlying: error)
        }
    }
}
