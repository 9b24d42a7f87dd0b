// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Essentials
internal import Files

/// Reads the files of a folder as values.
struct FolderReader {
    private let name: String
    /// Whether a file is JSON: any value but `null`. Otherwise its value is its text, without one final line break.
    private let hasJSON: Bool
    private var entries = KeyedValues<ConfigEntry>()
    private var problems: [ConfigError] = []
    private var modifiedAt: Timestamp?
    /// The number of visited names and of bytes read: folders may be links to each other.
    private var (nameCount, byteCount) = (0, 0)

    private static let maximumNames = 10_000

    /// - Parameter name: of the folder, as the user gave it.
    init(name: String, hasJSON: Bool) {
        (self.name, self.hasJSON) = (name, hasJSON)
    }

    /// The result so far.
    var reading: SourceReading {
        let problem = problems.first?.standing(for: problems.count)
        return SourceReading(.entries(ConfigEntries(entries)), modifiedAt: modifiedAt, problem: problem)
    }

    /// Reads a folder.
    ///
    /// - Parameters:
    ///   - folder: its whole path.
    ///   - names: the names of the folders that lead to it from the first one.
    mutating func read(_ folder: String, below names: [String] = []) throws(ConfigError) {
        let found: [String]
        do {
            found = try Folder.names(at: folder)
        } catch {
            throw fault(of: folder, error)
        }
        nameCount += found.count
        guard nameCount <= Self.maximumNames else {
            let message = "the folder has more than \(Self.maximumNames) files; use a folder that contains only values"
            throw ConfigError(.tooLarge, message, source: name)
        }
        for file in found where file.utf8.first != UInt8(ascii: ".") { try readFile(file, in: folder, below: names) }
    }

    private func fault(of folder: String, _ error: any Error) -> ConfigError {
        guard let state = FileState(path: folder) else {
            let message = "the folder does not exist; waiting for it to be created"
            return ConfigError(.notFound, message, source: name)
        }
        let unreadable = "cannot read the folder; check its permissions"
        let message = state.isRegular ? "not a folder but a file; use a folder" : unreadable
        return ConfigError(.unreadable, message, source: name, underlying: error)
    }

    private mutating func readFile(_ file: String, in folder: String, below names: [String]) throws(ConfigError) {
        let (path, names) = (folder + "/" + file, names + [file])
        let key = names.joined(separator: ".")
        let source = ([name] + names).joined(separator: "/")
        do throws(ConfigError) {
            // The path to a key is not a key itself, but follows the same rule, which limits the depth of folders.
            if let problem = KeyRule.problem(in: key) {
                let shown = file.excerpt(ofScalars: KeyRule.maximumLength)
                throw ConfigError(.invalidKey, "the key \(problem); rename the file", key: shown)
            }
            guard let content = try content(of: path) else { return try read(path, below: names) }
            let value = try value(of: content.bytes, key: key)
            let changedAt = Timestamp(milliseconds: content.state.modified / 1_000_000)
            let place = entries.place(of: key)
            guard place.index == nil else {
                throw ConfigError(.duplicateKey, "duplicate key in another file; remove one", key: key)
            }
            let entry = ConfigEntry(value: value, source: source, changedAt: changedAt)
            entries.append(entry, forKey: key, at: place)
            modifiedAt = max(modifiedAt ?? changedAt, changedAt)
        } catch {
            // An error of the whole folder is not limited to one part.
            if error.source == name { throw error }
            problems.append(error.namingIfUnnamed(source: source))
        }
    }

    /// - Returns: `nil` if this is a folder.
    private mutating func content(of path: String) throws(ConfigError) -> FileContent? {
        let content: FileContent
        do throws(FileError) {
            // A JSON escape may be six times as long as its character.
            content = try FileContent(reading: path, atMost: EntryValue.maximumBytes * 6)
        } catch {
            // Whether it is a folder is the question.
            if error.isIrregular, (try? Folder.names(at: path)) != nil { return nil }
            if error.isIrregular { throw ConfigError(.unreadable, "not a regular file or a folder; remove it") }
            if error.isTooLarge { throw Self.tooLarge }
            throw ConfigError(.unreadable, "cannot read the file: \(error.reason)")
        }
        byteCount += content.bytes.count
        guard byteCount <= ConfigDocument.maximumBytes else {
            let message = "the files are larger than 8 MiB in total; store large content elsewhere"
            throw ConfigError(.tooLarge, message, source: name)
        }
        return content
    }

    private func value(of whole: [UInt8], key: String) throws(ConfigError) -> EntryValue {
        if hasJSON {
            do throws(ConfigError) { return try EntryValue(json: whole) } catch { throw error.naming(key: key) }
        }
        var bytes = whole[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.count < whole.count, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigError(.syntax, "invalid UTF-8; save the file in UTF-8", key: key)
        }
        guard EntryValue.string(text).isWithinMaximumBytes else { throw Self.tooLarge }
        return .string(text)
    }

    private static let tooLarge = ConfigError(
        .tooLarge,
        "the value is larger than \(EntryValue.maximumBytes) bytes; store large content elsewhere and set its URL"
    )
}
