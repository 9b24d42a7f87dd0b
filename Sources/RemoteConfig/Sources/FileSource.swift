// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
package import Dispatch
internal import Files
internal import Synchronization

/// A document in a file, followed as it changes: JSON, or by its name (`.yaml`, `.yml`) YAML.
///
/// YAML is read where the package's trait `YAML` is on; otherwise such a file is refused.
///
/// In-place writes, an editor's rename, swaps of symbolic links anywhere on the path, delete and re-create are all
/// noticed, and a file that is not there yet is waited for. Following costs nothing while nothing changes.
///
/// The file is also checked every second if the system does not report every change: on NFS, SMB, FUSE, 9p and similar file
/// systems, and on an overlay, whose lower folder may be written to. Writes through a shared mapping
/// (`mmap`) are noticed once the mapping ends, or by such a check: no system reports them earlier.
public struct FileSource: ActiveSource {
    /// The path as the user gave it.
    public let name: String
    /// Hints come as the file changes.
    public let delivery = SourceDelivery.watched
    /// The path without links: a link and its file are one source.
    public var identity: String { path.text.isEmpty ? name : path.text.resolvingLinks(toNowhere: 40) }
    private let followed: FollowedPath
    private let format: DocumentFormat
    private let lastText = LastText()

    /// Creates a source for a file, which need not exist.
    ///
    /// A path whose bytes are not UTF-8 has an address: `try SourceLocator("file:///etc/f%FCr.json").source()`.
    ///
    /// - Parameter path: absolute, or relative to the current folder, which is resolved now.
    public init(path: String) {
        name = path
        followed = FollowedPath(path)
        format = DocumentFormat(ofFile: followed.path.text)
    }

    private var path: AbsolutePath { followed.path }

    /// Reads the whole file, and of a large one only what has changed, if the known state is that of the last reading.
    ///
    /// - Throws: `notFound`, `unreadable`, `tooLarge`, or what `ConfigDocument` finds wrong with its content.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            let content = try content()
            var reading = try lastText.reading(of: content.bytes, format, source: name, after: known.text)
            reading.modifiedAt = Timestamp(milliseconds: content.state.modified / 1_000_000)
            return reading
        } catch {
            throw error.naming(source: name)
        }
    }

    private func content() throws(ConfigError) -> FileContent {
        guard !path.text.isEmpty else {
            let message = "the current folder was deleted; use an absolute path, or start in another folder"
            throw ConfigError(.notFound, message)
        }
        do throws(FileError) {
            return try FileContent(reading: path.text, atMost: ConfigDocument.maximumBytes)
        } catch {
            if error.isMissing {
                let message = "the file does not exist; waiting for it to be created"
                throw ConfigError(.notFound, message, underlying: error)
            }
            if error.isTooLarge {
                throw ConfigError(.tooLarge, "the file is larger than 8 MiB; store large content elsewhere")
            }
            if error.isIrregular {
                let advice = "use a regular file"
                throw ConfigError(.unreadable, "not a regular file but a folder, a pipe or a device; \(advice)")
            }
            throw ConfigError(.unreadable, "cannot read the file: \(error.reason)")
        }
    }

    /// A hint for each change of the file, and one when it has settled.
    ///
    /// - Parameter queue: The queue on which the file is watched; by default a new one.
    package func hints(on queue: DispatchQueue? = nil) -> AsyncStream<SourceHint> { followed.hints(on: queue) }

    /// Hints at each change of the file, and when it has settled; a slow receiver gets the newest hint.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        for await hint in hints(on: known.queue) { await receive(.hint(hint)) }
    }

    /// Whether the path has led to the same file with the same content since the last hint that it has settled.
    package func isSettled() -> Bool { followed.isSettled() }

    /// Whether the system reports every change; otherwise it is noticed within a second.
    package func reportsEveryChange() -> Bool { followed.reportsEveryChange() }
}

/// The text of the last good reading.
private final class LastText: Sendable {
    private let text = Mutex<DividedText?>(nil)

    /// Reads a document.
    ///
    /// - Parameter known: The text of the known state.
    func reading(
        of bytes: [UInt8],
        _ format: DocumentFormat,
        source: String,
        after known: DividedText.Mark?
    ) throws(ConfigError) -> SourceReading {
        guard format == .json else { return SourceReading(.document(try format.document(bytes, source: source))) }
        let last = text.withLock(\.self)
        if let last, last.mark === known, let (edit, next) = last.edit(to: bytes) {
            text.withLock { $0 = next }
            return SourceReading(.edit(edit))
        }
        let (document, next) = try DividedText.read(bytes, source: source)
        text.withLock { $0 = next }
        var reading = SourceReading(.document(document))
        reading.text = next?.mark
        return reading
    }
}
