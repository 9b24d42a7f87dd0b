#if canImport(Darwin)
    internal import Darwin
    internal import Dispatch
    internal import Synchronization

    /// Follows a ``WatchPlan`` by kqueue.
    ///
    /// kqueue tells that a folder changed but not which name in it, so every change of a folder counts.
    final class PathEvents: Sendable {
        private let path: AbsolutePath
        private let queue: DispatchQueue
        private let onEvent: @Sendable () -> Void
        private let sources = Mutex<[any DispatchSourceFileSystemObject]>([])

        /// - Parameter onEvent: called on the queue when what the path leads to may have changed.
        init(path: AbsolutePath, queue: DispatchQueue, onEvent: @escaping @Sendable () -> Void) {
            self.path = path
            self.queue = queue
            self.onEvent = onEvent
            follow()
        }

        func cancel() {
            sources.withLock { sources in
                for source in sources { source.cancel() }
                sources = []
            }
        }

        /// Watches what the path leads to now. A replaced file is another file, so all is opened anew each time.
        private func follow() {
            let plan = WatchPlan(for: path)
            cancel()
            for (folder, names) in plan.names {
                watch(folder, for: names.isEmpty ? [.delete, .rename] : [.delete, .rename, .write], isFolder: true)
            }
            if let file = plan.file { watch(file, for: [.delete, .rename, .write, .extend, .attrib], isFolder: false) }
        }

        private func watch(_ path: String, for mask: DispatchSource.FileSystemEvent, isFolder: Bool) {
            let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            sources.withLock { sources in
                let source = DispatchSource.makeFileSystemObjectSource(
                    fileDescriptor: descriptor, eventMask: mask, queue: queue)
                source.setEventHandler { [weak self] in
                    if isFolder { self?.follow() }
                    self?.onEvent()
                }
                source.setCancelHandler { close(descriptor) }
                source.activate()
                sources.append(source)
            }
        }
    }
#endif
