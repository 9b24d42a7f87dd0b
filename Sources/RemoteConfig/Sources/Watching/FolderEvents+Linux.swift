#if os(Linux)
    internal import Dispatch
    internal import Glibc
    internal import Synchronization

    /// Follows the folders of a ``WatchPlan`` by inotify.
    ///
    /// Folders are watched rather than the file, because an editor replaces the file by another.
    final class FolderEvents: Sendable {
        private let descriptor: Int32
        private let watches = Mutex(Watches())

        private struct Watches {
            var source: (any DispatchSourceRead)?
            var plan: WatchPlan?
            var folders: [Int32: String] = [:]
        }

        private static let fate = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
        private static let content = UInt32(
            IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)

        /// - Parameter onEvent: called on the queue when a watched name or folder has changed in any way.
        init(queue: DispatchQueue, onEvent: @escaping @Sendable () -> Void) {
            descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            watches.withLock { watches in
                let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
                source.setEventHandler { [weak self] in
                    if self?.drain() == true { onEvent() }
                }
                source.setCancelHandler { [descriptor] in close(descriptor) }
                source.activate()
                watches.source = source
            }
        }

        func cancel() {
            watches.withLock { $0.source?.cancel() }
        }

        /// Watches what the path leads to now.
        ///
        /// Folders may move while the watches are being set, so the plan is made until it stands still.
        func follow(_ path: AbsolutePath) {
            for _ in 0..<8 {
                let plan = WatchPlan(for: path)
                if watches.withLock({ $0.plan == plan }) { return }
                watch(plan)
            }
        }

        private func watch(_ plan: WatchPlan) {
            watches.withLock { watches in
                var folders: [Int32: String] = [:]
                for (folder, names) in plan.names {
                    let mask = names.isEmpty ? Self.fate : Self.fate | Self.content
                    let watch = inotify_add_watch(descriptor, folder, mask)
                    if watch >= 0 { folders[watch] = folder }
                }
                for stale in watches.folders.keys where folders[stale] == nil {
                    inotify_rm_watch(descriptor, stale)
                }
                watches.folders = folders
                watches.plan = plan
            }
        }

        /// Takes all events that wait; true if one of them concerns the path.
        private func drain() -> Bool {
            var isRelevant = false
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            while true {
                let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
                if count <= 0 { return isRelevant }
                buffer.withUnsafeBytes { bytes in
                    for event in InotifyEvents(UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
                        isRelevant = concerns(event) || isRelevant
                    }
                }
            }
        }

        private func concerns(_ event: InotifyEvents.Element) -> Bool {
            watches.withLock { watches in
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
                guard let folder = watches.folders[event.watch], let names = watches.plan?.names[folder] else {
                    return false
                }
                guard event.name.isEmpty else { return names.contains(event.name) }
                // The folder itself: gone, moved or no longer readable. Its watch is worth nothing from now on.
                watches.plan = nil
                return true
            }
        }
    }

    /// The records of one read from an inotify descriptor (see inotify(7)).
    private struct InotifyEvents: Sequence, IteratorProtocol {
        struct Event {
            var watch: Int32
            var mask: UInt32
            var name: String
        }

        private var bytes: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        mutating func next() -> Event? {
            let headerSize = MemoryLayout<inotify_event>.size
            guard bytes.count >= headerSize else { return nil }
            let header = bytes.loadUnaligned(as: inotify_event.self)
            let nameBytes = bytes[headerSize..<headerSize + Int(header.len)].prefix { $0 != 0 }
            bytes = UnsafeRawBufferPointer(rebasing: bytes[(headerSize + Int(header.len))...])
            return Event(watch: header.wd, mask: header.mask, name: String(decoding: nameBytes, as: UTF8.self))
        }
    }
#endif
