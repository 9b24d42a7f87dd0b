// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Files
internal import Synchronization

/// A path on this machine, and who follows it for the newest hints.
final class FollowedPath: Sendable {
    let path: AbsolutePath
    private let isFolder: Bool
    private let watcher = Mutex<FileWatcher?>(nil)

    /// - Parameter isFolder: whether the path is that of a folder, whose contents matter.
    init(_ path: String, isFolder: Bool = false) {
        (self.path, self.isFolder) = (AbsolutePath(path), isFolder)
    }

    /// A hint for each change, and one when the path has settled; of pending hints, the newest.
    ///
    /// - Parameter queue: The queue on which the path is watched; by default a new one.
    func hints(on queue: DispatchQueue?) -> AsyncStream<SourceHint> {
        let (hints, continuation) = AsyncStream.makeStream(of: SourceHint.self, bufferingPolicy: .bufferingNewest(1))
        let watcher = FileWatcher(path: path, isFolder: isFolder, on: queue) {
            continuation.yield($0 == .settled ? .settled : .changed)
        }
        continuation.onTermination = { _ in watcher.cancel() }
        self.watcher.withLock { $0 = watcher }
        return hints
    }

    func isSettled() -> Bool { watcher.withLock { $0?.isSettled() ?? true } }

    func reportsEveryChange() -> Bool { watcher.withLock { $0?.reportsEveryChange() ?? true } }
}
