// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
    internal import Dispatch
    internal import Essentials
    internal import Network
    internal import Synchronization

    extension AppEvent {
        /// The events of this app, as the system reports them.
        public static var ofThisApp: AsyncStream<AppEvent> {
            AsyncStream { continuation in
                let observer = AppObserver(continuation)
                continuation.onTermination = { _ in observer.end() }
            }
        }
    }

    extension NetworkPath {
        fileprivate init(_ path: NWPath) {
            isUsable = path.status == .satisfied
            interface = path.availableInterfaces.first?.name
            gateways = Set(path.gateways.map { "\($0)" })
        }
    }

    /// Observes the system, until the end of the sequence.
    private final class AppObserver: NSObject, Sendable {
        private let continuation: AsyncStream<AppEvent>.Continuation
        private let paths = NWPathMonitor()
        /// The last path; `nil` before the first.
        private let path = Mutex<NetworkPath?>(nil)

        init(_ continuation: AsyncStream<AppEvent>.Continuation) {
            self.continuation = continuation
            super.init()
            let (background, foreground) = Self.names
            let center = NotificationCenter.default
            center.addObserver(self, selector: #selector(enteredBackground), name: background, object: nil)
            center.addObserver(self, selector: #selector(enteredForeground), name: foreground, object: nil)
            paths.pathUpdateHandler = { [weak self] in self?.changed(to: NetworkPath($0)) }
            paths.start(queue: DispatchQueue(label: "livery.network-paths"))
        }

        func end() {
            NotificationCenter.default.removeObserver(self)
            paths.cancel()
        }

        private func changed(to next: NetworkPath) {
            let isNew = path.withLock { path in
                defer { path = next }
                return next.isNew(after: path)
            }
            if isNew { continuation.yield(.networkReturned) }
        }

        @objc private func enteredBackground() { continuation.yield(.enteredBackground) }

        @objc private func enteredForeground() { continuation.yield(.enteredForeground) }

        /// The notifications of UIKit, WatchKit and AppKit by name, so that a program links none of them for this. A Mac's
        /// app is in the background while it is hidden.
        private static var names: (background: Notification.Name, foreground: Notification.Name) {
            #if os(watchOS)
                (
                    Notification.Name("WKApplicationDidEnterBackgroundNotification"),
                    Notification.Name("WKApplicationWillEnterForegroundNotification")
                )
            #elseif os(macOS)
                (
                    Notification.Name("NSApplicationDidHideNotification"),
                    Notification.Name("NSApplicationDidUnhideNotification")
                )
            #else
                (
                    Notification.Name("UIApplicationDidEnterBackgroundNotification"),
                    Notification.Name("UIApplicationWillEnterForegroundNotification")
                )
            #endif
        }
    }
#endif
