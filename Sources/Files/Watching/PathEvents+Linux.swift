// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    internal import Dispatch
    internal import Glibc
    internal import Synchronization
    internal import SystemPackage

    /// Follows a ``WatchPlan`` by inotify (see inotify(7)).
    final class PathEvents: Sendable {
        let path: AbsolutePath
        /// Whether the path is that of a folder, whose contents matter.
        let isFolder: Bool
        private let queue: DispatchQueue
        private let onEvent: @Sendable () -> Void
        let watches = Mutex(Watches())

        struct Watches {
            /// Receives events; `nil` if it could not be started, and once it is cancelled.
            var listener: EventListener?
            /// The work that the queue has yet to do.
            var due = Meaning.nothing
            /// The names that matter by the watch of their folder.
            var folders: [Int: Set<FilePath.Component>] = [:]
            var file: Int?
            /// The place of the file, and the watch of its folder.
            var place: WatchPlan.Place?
            var holder: Int?
            /// The watch of the folder of which everything matters.
            var contents: Int?
            var isUnreliable = false
            var isWhole = false

            var numbers: Set<Int> { Set(folders.keys).union([file].compactMap(\.self)) }
        }

        private static let removalEvents = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB | IN_ONLYDIR)
        // Attributes as well: an unreadable file cannot be watched itself until its permissions change.
        private static let names = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
        private static let content = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)

        /// - Parameters:
        ///   - descriptor: an inotify instance, which is closed at the end; negative if the kernel had none to spare.
        ///   - onEvent: called on the queue when the target of the path may have changed.
        init(
            path: AbsolutePath,
            isFolder: Bool = false,
            queue: DispatchQueue,
            descriptor: Int32 = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)),
            onEvent: @escaping @Sendable () -> Void
        ) {
            (self.path, self.isFolder) = (path, isFolder)
            (self.queue, self.onEvent) = (queue, onEvent)
            let listener = EventListener(descriptor: descriptor) { [weak self] in self?.readEvents(from: $0) }
            watches.withLock { $0.listener = listener }
            watchNearestFolders()
        }

        deinit { cancel() }

        func cancel() {
            watches.withLock { $0.listener.take() }?.cancel()
        }

        /// Watches the file and the folders of which names matter. The others can wait for ``watchAllFolders()``.
        ///
        /// For a folder without watches, the kernel visits all names in it that it has cached: in one such as `/tmp`, with
        /// thousands of names, that takes longer than the rest of a program's start.
        private func watchNearestFolders() {
            let plan = plan().nearby
            watches.withLock { watches in
                let isWatched = watch(plan, &watches)
                watches.isUnreliable = plan.isSilent || !isWatched
            }
        }

        /// Watches the folders above as well.
        /// - Returns: whether something that was watched before is not on the way any more.
        func watchAllFolders() -> Bool {
            let nearby = watches.withLock(\.numbers)
            follow()
            return watches.withLock { !nearby.isSubset(of: $0.numbers) }
        }

        /// - Returns: whether every watch could be set.
        func watch(_ plan: WatchPlan, _ watches: inout Watches) -> Bool {
            guard let descriptor = watches.listener?.descriptor else { return false }
            let former = watches.numbers
            watches.folders = [:]
            (watches.place, watches.holder, watches.contents) = (plan.file, nil, nil)
            // From the root down, so that the replacement of a folder is seen from its parent.
            for (folder, names) in plan.names.sorted(by: { $0.key.length < $1.key.length }) {
                let isWhole = folder == plan.folder
                let mask = isWhole ? Self.names | Self.content : names.isEmpty ? 0 : Self.names
                let watch = add(folder, Self.removalEvents | mask, to: descriptor)
                if watch >= 0 { watches.folders[watch] = names }
                if watch >= 0, isWhole { watches.contents = watch }
                if watch >= 0, folder == plan.file?.folder { watches.holder = watch }
            }
            let file = plan.file.map { add($0.path, Self.content, to: descriptor) } ?? -1
            watches.file = file >= 0 ? file : nil
            for stale in former where watches.folders[stale] == nil && watches.file != stale {
                inotify_rm_watch(descriptor, Int32(stale))
            }
            return watches.folders.count == plan.names.count && (file >= 0 || plan.file == nil)
        }

        private func add(_ path: FilePath, _ mask: UInt32, to descriptor: Int32) -> Int {
            Int(path.withPlatformString { inotify_add_watch(descriptor, $0, mask) })
        }

        /// Watches another file of the same name in the same folder, as an editor leaves it. Any other change of the path has
        /// its own event.
        /// - Returns: whether nothing else has to be done.
        private func followFile() -> Bool {
            watches.withLock { watches in
                guard let descriptor = watches.listener?.descriptor, let place = watches.place, watches.isWhole,
                    !watches.isUnreliable,
                    WatchPlan.Component(at: place.path) == .file, !SilentFileSystem.contains(path: place.path)
                else { return false }
                let file = add(place.path, Self.content, to: descriptor)
                guard file >= 0 else { return false }
                if let former = watches.file, former != file { inotify_rm_watch(descriptor, Int32(former)) }
                watches.file = file
                return true
            }
        }

        /// Reads the events that wait, and has the queue do what follows from them.
        private func readEvents(from descriptor: Int32) {
            let alignment = MemoryLayout<inotify_event>.alignment
            let most = withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: alignment) { buffer in
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                return InotifyEvents(UnsafeRawBufferPointer(buffer)[..<max(count, 0)]).map(meaning).max() ?? .nothing
            }
            let isFirst = watches.withLock { watches in
                defer { watches.due = max(watches.due, most) }
                return watches.due == .nothing && most != .nothing
            }
            if isFirst { queue.async { [weak self] in self?.performPendingWork() } }
        }

        private func performPendingWork() {
            let due = watches.withLock { watches in
                defer { watches.due = .nothing }
                return watches.listener == nil ? .nothing : watches.due
            }
            if due == .nothing { return }
            if due == .moved || due == .replaced && !followFile() { follow() }
            onEvent()
        }

        /// The work to do after an event; later cases include earlier ones.
        enum Meaning: Comparable {
            case nothing, written, replaced, moved
        }

        private func meaning(of event: InotifyEvents.Event) -> Meaning {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return .moved }
            return watches.withLock { watches in
                if event.watch == watches.file { return event.mask & Self.content == 0 ? .nothing : .written }
                guard let names = watches.folders[event.watch] else { return .nothing }
                if event.watch == watches.holder, event.name == watches.place?.name { return .replaced }
                // An event without a name is the folder's own fate.
                guard let name = event.name else { return .moved }
                if event.watch == watches.contents { return .written }
                return names.contains(name) ? .moved : .nothing
            }
        }
    }

    /// The records of one read from an inotify descriptor.
    private struct InotifyEvents: Sequence, IteratorProtocol {
        struct Event {
            var watch: Int
            var mask: UInt32
            var name: FilePath.Component?
        }

        private var bytes: Slice<UnsafeRawBufferPointer>

        init(_ bytes: Slice<UnsafeRawBufferPointer>) { self.bytes = bytes }

        mutating func next() -> Event? {
            let headerSize = MemoryLayout<inotify_event>.size
            guard bytes.count >= headerSize else { return nil }
            let header = UnsafeRawBufferPointer(rebasing: bytes).loadUnaligned(as: inotify_event.self)
            bytes = bytes.dropFirst(headerSize)
            // Zeros fill it up, one at least.
            let name = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(header.len))).bindMemory(to: CChar.self)
            bytes = bytes.dropFirst(Int(header.len))
            let component = name.last == 0 ? name.baseAddress.flatMap(FilePath.Component.init(platformString:)) : nil
            return Event(watch: Int(header.wd), mask: header.mask, name: component)
        }
    }
#endif
