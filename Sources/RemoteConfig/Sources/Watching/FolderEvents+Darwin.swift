#if canImport(Darwin)
    internal import Darwin
    internal import Dispatch
    internal import Synchronization

    /// Follows the folders of a ``WatchPlan``, and the names in them, by kqueue.
    ///
    /// kqueue tells that a folder changed but not which name, and tells nothing of writes into a file of the folder,
    /// so the names themselves are watched as well.
    final class FolderEvents: Sendable {
        private let queue: DispatchQueue
        private let onEvent: @Sendable () -> Void
        private let sources = Mutex<[any DispatchSourceFileSystemObject]>([])

        /// - Parameter onEvent: called on the queue when a watched name or folder has changed in any way.
        init(queue: DispatchQueue, onEvent: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.onEvent = onEvent
        }

        func cancel() {
            sources.withLock { sources in
                for source in sources { source.cancel() }
                sources = []
            }
        }

        /// Watches what the path leads to now. A replaced file is another file, so all is opened anew each time.
        func follow(_ path: AbsolutePath) {
            let plan = WatchPlan(for: path)
            cancel()
            for (folder, names) in plan.names {
                watch(folder, for: names.isEmpty ? [.delete, .rename] : [.delete, .rename, .write, .attrib])
                for name in names {
                    watch(folder + "/" + name, for: [.delete, .rename, .write, .extend, .attrib])
                }
            }
        }

        private func watch(_ path: String, for mask: DispatchSource.FileSystemEvent) {
            let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: mask, queue: queue)
            source.setEventHandler { [onEvent] in onEvent() }
            source.setCancelHandler { close(descriptor) }
            source.activate()
            sources.withLock { $0.append(source) }
        }
    }
#endif
