// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Dispatch
import Essentials
import Files
import Programs

/// The user's editor, as `$VISUAL` or `$EDITOR` names it.
struct ExternalEditor: Sendable {
    let environment: [String: String]

    /// The command of the shell, without the file.
    var command: String {
        let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        return named ?? "vi"
    }

    /// Opens a text, and waits for the end of the editor. The terminal must be free.
    func run(_ edit: ExternalEdit) async -> ExternalEdit.Outcome {
        let result: Result<String, ConfigError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "livery.editor").async {
                continuation.resume(returning: Result { () throws(ConfigError) in try text(after: edit) })
            }
        }
        return ExternalEdit.Outcome(key: edit.key, result: result)
    }

    private func text(after edit: ExternalEdit) throws(ConfigError) -> String {
        let root = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let folder = "\(root)/livery-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let path = "\(folder)/\(edit.key).\(edit.isJSON ? "json" : "txt")"
        // What is left of it is in the folder for temporary files.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try ConfigError.catching(try AtomicFile(path: path).replace(with: Array(edit.text.utf8)))
        if let failure = OtherProgram.runOnTerminal("/bin/sh", arguments: ["-c", "\(command) \"$1\"", "livery", path]) {
            throw ConfigError(.unavailable, "the editor \(command) \(failure); the value is unchanged")
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileContent.bytes(at: path, atMost: EntryValue.maximumBytes * 8)
        } catch {
            throw ConfigError(.unreadable, "cannot read the edited text: \(error.reason)", source: path)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigError(.syntax, "the edited text is not UTF-8; save it in UTF-8", source: path)
        }
        return text
    }
}
