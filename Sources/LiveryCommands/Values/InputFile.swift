// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
package import ConfigModel
import ConfigWire
import Files
import RemoteConfig
import TerminalUI

/// Reads a file that the user names, up to a limit.
package enum InputFile {
    /// The bytes of a file, or of standard input for `-`.
    ///
    /// - Parameter mayBeEmpty: whether standard input may be empty.
    /// - Throws: `syntax` if standard input is empty, since the command before the pipe may have failed; `unreadable`,
    ///   `tooLarge`, and `rejected` if standard output goes to the same file.
    package static func bytes(
        at path: String,
        atMost limit: Int,
        mayBeEmpty: Bool = false
    ) throws(ConfigError) -> [UInt8] {
        try refuseOutput(to: path)
        do throws(FileError) {
            guard path == "-" else { return try FileContent.bytes(at: path, atMost: limit) }
            let bytes = try FileContent.standardInput(atMost: limit)
            if mayBeEmpty || !bytes.isEmpty { return bytes }
        } catch {
            let name = name(of: path)
            if error.isTooLarge {
                let message = "the input is larger than \(limit.grouped) bytes, the maximum"
                throw ConfigError(.tooLarge, message, source: name)
            }
            // JSON in place of a file.
            let advice = path.hasPrefix("{") ? "; to pass JSON, write it to standard input and use -" : ""
            throw ConfigError(.unreadable, "cannot read the file: \(error.reason)\(advice)", source: name)
        }
        throw ConfigError(.syntax, "the input is empty; check the command that writes to it", source: name(of: path))
    }

    /// - Throws: `rejected` if a file that is read is also where standard output goes.
    package static func refuseOutput(to path: String) throws(ConfigError) {
        let input = path == "-" ? FileState(descriptor: StandardInput.descriptor) : FileState(path: path)
        guard let input, input.isRegular,
            input.identity == FileState(descriptor: Output.standard.descriptor)?.identity
        else { return }
        let message = "the file is both input and output; redirect the output to another file"
        throw ConfigError(.rejected, message, source: name(of: path))
    }

    /// The text of a file, without one line break at its end.
    static func text(at path: String, atMost limit: Int, mayBeEmpty: Bool = false) throws(ConfigError) -> String {
        var bytes = try bytes(at: path, atMost: limit, mayBeEmpty: mayBeEmpty)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigError(.syntax, "invalid UTF-8; save the file in UTF-8", source: path)
        }
        return text
    }

    /// The maximum size of a document: that of a namespace, so that each can be exported and imported.
    static let maximumDocumentBytes = 64 * 1024 * 1024

    /// A document, plain or exact.
    ///
    /// - Throws: `rejected` for a file of another product, as well as the errors in the document.
    static func document(at path: String) throws(ConfigError) -> ConfigDocument {
        try documentWithDrafts(at: path).document
    }

    /// A document, with the drafts and the policy in it if it is exact and JSON.
    static func documentWithDrafts(
        at path: String
    ) throws(ConfigError) -> (document: ConfigDocument, archive: DraftArchive) {
        let bytes = try bytes(at: path, atMost: maximumDocumentBytes)
        let (format, source) = (DocumentFormat(ofFile: path), name(of: path))
        if let json = format.json(of: bytes) { try ForeignExport.refuse(json, source: source) }
        if format != .json { return (try format.document(bytes, source: source), DraftArchive()) }
        let document = try ConfigDocument(json: bytes, source: source, atMost: maximumDocumentBytes)
        do throws(ConfigError) {
            let isExact = try ExactForm.marks(try JSONScanner(bytes))
            return (document, isExact ? try DraftArchive(json: bytes) : DraftArchive())
        } catch {
            throw error.naming(source: source)
        }
    }

    /// The content of an entry as the JSON of a file, of the size that it may have.
    static func value(at path: String, of kind: EntryKind = .value) throws(ConfigError) -> EntryValue {
        // A value may be written with six-character escapes, and indented.
        let bytes = try bytes(at: path, atMost: EntryValue.maximumBytes * 8)
        do throws(ConfigError) {
            return try EntryValue(json: bytes, of: kind)
        } catch {
            throw error.naming(source: name(of: path))
        }
    }

    static func name(of path: String) -> String { path == "-" ? "standard input" : path }
}
