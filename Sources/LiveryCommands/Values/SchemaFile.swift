// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import Programs
import TerminalUI

/// Reads schemas from a file that the user names, or from standard input for `-`.
///
/// Both throw a failure with all errors in the input.
enum SchemaFile {
    /// The one schema of a file.
    static func schema(at path: String) throws -> ConfigSchema {
        try read(path) { (bytes, name) throws(SchemaError) in try ConfigSchema(json: bytes, source: name) }
    }

    /// The schemas of a document, such as an export.
    static func set(at path: String) throws -> SchemaSet {
        let limit = InputFile.maximumDocumentBytes
        return try read(path, atMost: limit) { (bytes, name) throws(SchemaError) in
            try SchemaSet(json: bytes, source: name, atMost: limit)
        }
    }

    private static func read<Content>(
        _ path: String,
        atMost limit: Int = SchemaSet.maximumBytes,
        _ parse: ([UInt8], String) throws(SchemaError) -> Content
    ) throws -> Content {
        let bytes = try InputFile.bytes(at: path, atMost: limit)
        do throws(SchemaError) {
            return try parse(bytes, InputFile.name(of: path))
        } catch {
            throw error.failure()
        }
    }
}

extension SchemaSet {
    /// The schemas of a namespace.
    ///
    /// - Throws: a failure with all errors in them.
    init(of state: ServerSnapshot) throws {
        do throws(SchemaError) {
            try self.init(state.schemas ?? [:])
        } catch {
            throw error.failure(source: "the server")
        }
    }
}

extension SchemaError {
    /// One line per error.
    ///
    /// - Parameter name: the name of the input, if the error does not contain it.
    func failure(source name: String? = nil) -> ProgramFailure {
        var error = self
        error.source = source ?? name
        let lines = error.description.split(separator: "\n").map { String($0).sanitized() }
        return ProgramFailure(.data, lines.joined(separator: "\n"))
    }
}
