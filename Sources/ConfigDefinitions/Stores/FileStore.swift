// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Files
internal import Observing
internal import Synchronization

/// A store in a file of JSON, one object of values by key.
///
/// The file is replaced as a whole and is readable by its owner only (mode 0600). Changes made to the file by hand or by
/// another program are merged at the next change or by ``refresh(isSettled:)``. A file that does not contain such an object is
/// left unchanged for repair, and the store starts empty; the next change of a value renames it to `….damaged-` and the time,
/// and creates a new file. See ``problem``. If the path is a symbolic link, the link stays and its target is replaced.
public final class FileStore: KeyValueStore {
    private struct State {
        var values: [ExactString: EntryValue] = [:]
        var problem: ConfigError?
    }

    /// The file's name.
    public let name: String
    private let file: AtomicFile
    private let state = Mutex(State())
    // Locked while the file is written, so that readers never wait for the disk.
    private let writing = Mutex(())
    private let signals = KeyedSignals()

    /// Opens the store at a path; neither the file nor its folder has to exist.
    public init(path: String) {
        file = AtomicFile(path: path)
        name = path.fileNameOfPath
        // A comma may be missing, or a write be in progress: opening must not rename a file that a person edits.
        do throws(ConfigError) {
            let (values, problem) = try Self.load(file)
            state.withLock { $0 = State(values: values, problem: problem?.adding(Self.fate)) }
        } catch {
            state.withLock { $0.problem = error }
        }
    }

    /// The path of the file that tweaks are kept in: `$XDG_CONFIG_HOME/livery/tweaks.json`, with `~/.config` where the
    /// variable is unset, empty or not an absolute path, as the XDG Base Directory Specification has it.
    public static func tweaksPath(environment: [String: String]) -> String {
        UserFolder.settings.path(to: "tweaks.json", environment: environment)
    }

    /// The error of the last read of the file, and what was done with the file.
    public var problem: ConfigError? { state.withLock(\.problem) }

    /// All values by key.
    package var values: [ExactString: EntryValue] { state.withLock(\.values) }

    /// The value of a key.
    public func value(forKey key: String) -> EntryValue? { state.withLock { $0.values[ExactString(key)] } }

    /// All values as of now.
    public func snapshot() -> @Sendable (_ key: String) -> EntryValue? { values.lookup }

    /// Sets or removes values: first in the file, then for readers. Changes that another program has made to the file are kept,
    /// unless they are under one of these keys.
    ///
    /// It waits for the disk, and for other programs that write the file.
    ///
    /// - Throws: `unreadable` if the file can be neither read nor written, `unavailable` if another program has locked it
    ///   for ten seconds, `tooLarge` or `unsupportedValue` for a value that could not be read again; nothing is changed then.
    public func apply(_ changes: [(key: String, value: EntryValue?)]) throws(ConfigError) {
        for case (let key, let value?) in changes { try value.checkIsReadable(key) }
        let changed = try writing.withLock { _ throws(ConfigError) in
            try file.withLock(failing: ConfigError.init) { () throws(ConfigError) in try replace(with: changes) }
        }
        signals.send(changed)
    }

    /// Reads the file again, and announces what others have written to it. Call it when something that watches the file hints.
    ///
    /// - Parameter isSettled: whether the file's writer is done. Until then a file that is missing, or no JSON object,
    ///   is left for later. Afterwards a missing one is empty.
    /// - Throws: why the file cannot be read, once it is settled. It stays as it is, as do the values.
    public func refresh(isSettled: Bool = true) throws(ConfigError) {
        let changed = try writing.withLock { _ throws(ConfigError) -> [String] in
            do throws(ConfigError) {
                let read = try ConfigError.catching(try file.read())
                guard let bytes = read ?? (isSettled ? Array("{}".utf8) : nil) else { return [] }
                return show(try Self.values(in: bytes), problem: nil)
            } catch {
                if isSettled { throw error.code == .unreadable ? error : error.naming(source: name).adding(Self.fate) }
                return []
            }
        }
        signals.send(changed)
    }

    private func show(_ next: [ExactString: EntryValue], problem: ConfigError?) -> [String] {
        state.withLock { state in
            let before = state.values
            state = State(values: next, problem: problem)
            return next.keys(differingFrom: before)
        }
    }

    /// - Returns: the keys whose value is another now.
    private func replace(with changes: [(key: String, value: EntryValue?)]) throws(ConfigError) -> [String] {
        let (read, problem) = try Self.load(file)
        // A file that has been damaged since is rewritten from memory.
        var next = problem == nil ? read : values
        let isChanged = !next.apply(changes).isEmpty
        guard let problem else {
            if isChanged { try ConfigError.catching(try file.replace(with: Self.bytes(of: next))) }
            return show(next, problem: nil)
        }
        guard isChanged else { return show(next, problem: problem.adding(Self.fate)) }
        let aside = try ConfigError.catching(try file.replaceCorrupt(with: Self.bytes(of: next)))
        return show(next, problem: problem.adding("moved the file to \(aside) and started a new one"))
    }

    /// Calls a closure after each change of the value of a key, until the closure that it returns is called or released.
    public func observe(_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        signals[key].observe(didChange)
    }

    /// The next step for a file that does not contain an object of values, unless it is repaired.
    private static let fate = "the next change moves it aside and starts a new file"

    /// Reads the file: its values and its error. A file that is not an object of values has no values and an error.
    ///
    /// - Throws: why the file cannot be read; it must stay unchanged then.
    private static func load(
        _ file: AtomicFile
    ) throws(ConfigError) -> (values: [ExactString: EntryValue], problem: ConfigError?) {
        guard let bytes = try ConfigError.catching(try file.read()) else { return ([:], nil) }
        do throws(ConfigError) {
            return (try values(in: bytes), nil)
        } catch {
            return ([:], error.naming(source: file.path))
        }
    }

    private static func values(in bytes: [UInt8]) throws(ConfigError) -> [ExactString: EntryValue] {
        var values: [ExactString: EntryValue] = [:]
        try JSONScanner.object(bytes) { (name, scanner) throws(ConfigError) in
            scanner.limits = .ownValues
            values[ExactString(name)] = try scanner.anyValue()
        }
        return values
    }

    /// One value a line, sorted by key, as people like to read and compare it.
    private static func bytes(of values: [ExactString: EntryValue]) -> [UInt8] {
        let lines = values.keys.sorted().map {
            "  \(EntryValue.string($0.string).canonicalJSON): \((values[$0] ?? .null).canonicalJSON)"
        }
        return Array(lines.isEmpty ? "{}\n".utf8 : "{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
    }
}

extension ConfigError {
    fileprivate func adding(_ sentence: String) -> ConfigError {
        var error = self
        error.message += "; " + sentence
        return error
    }
}

extension EntryValue {
    fileprivate func checkIsReadable(_ key: String) throws(ConfigError) {
        do throws(ConfigError) {
            _ = try EntryValue(anyJSON: canonicalBytes)
        } catch {
            throw ConfigError(error.code, error.message, key: key)
        }
    }
}
