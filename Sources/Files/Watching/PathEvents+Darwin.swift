// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    internal import Darwin
    internal import Dispatch
    internal import Synchronization
    internal import SystemPackage

    /// Follows a ``WatchPlan`` by kqueue.
    /// kqueue reports that a folder changed but not which name in it, so every change of a folder counts.
    final class PathEvents: Sendable {
        let path: AbsolutePath
        /// Whether the path is that of a folder, whose contents matter.
        let isFolder: Bool
        private let queue: DispatchQueue
        private let onEvent: @Sendable () -> Void
        let watches = Mutex(Watches())

        struct Watches {
            var sources: [any DispatchSourceFileSystemObject] = []
            var isUnreliable = false
            var isWhole = false
            var isCancelled = false
        }

        private static let removalEvents: DispatchSource.FileSystemEvent = [.delete, .rename, .attrib]
        private static let content: DispatchSource.FileSystemEvent = [.delete, .rename, .write, .extend, .attrib]

        /// - Parameter onEvent: called on the queue when the target of the path may have changed.
        init(
            path: AbsolutePath,
            isFolder: Bool = false,
            queue: DispatchQueue,
            onEvent: @escaping @Sendable () -> Void
        ) {
            (self.path, self.isFolder) = (path, isFolder)
            self.queue = queue
            self.onEvent = onEvent
            follow()
        }

        /// Does nothing: here the whole path is watched from the start.
        func watchAllFolders() -> Bool { false }

        func cancel() {
            watches.withLock { watches in
                watches.isCancelled = true
                watches.sources.forEach { $0.cancel() }
                watches.sources = []
            }
        }

        /// A replaced file is another file, so everything is reopened each time.
        /// - Returns: whether every watch could be set.
        func watch(_ plan: WatchPlan, _ watches: inout Watches) -> Bool {
            if watches.isCancelled { return true }
            watches.sources.forEach { $0.cancel() }
            // From the root down, so that the replacement of a folder is seen from its parent.
            let folders = plan.names.sorted { $0.key.length < $1.key.length }.map { folder, names in
                let isIdle = names.isEmpty && folder != plan.folder
                return source(
                    at: folder,
                    for: isIdle ? Self.removalEvents : Self.removalEvents.union(.write),
                    isFolder: true
                )
            }
            let wanted = folders + (plan.file.map { [source(at: $0.path, for: Self.content, isFolder: false)] } ?? [])
            watches.sources = wanted.compactMap(\.self)
            return watches.sources.count == wanted.count
        }

        private func source(
            at path: FilePath,
            for mask: DispatchSource.FileSystemEvent,
            isFolder: Bool
        ) -> (any DispatchSourceFileSystemObject)? {
            let descriptor = path.withPlatformString { open($0, O_EVTONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { return nil }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor,
                eventMask: mask,
                queue: queue
            )
            source.setEventHandler { [weak self] in
                if isFolder { self?.follow() }
                self?.onEvent()
            }
            source.setCancelHandler { close(descriptor) }
            source.activate()
            return source
        }
    }
#endif
