// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    internal import CFileSystem
    internal import Glibc

    /// A thread that waits until a descriptor can be read, and calls back each time.
    ///
    /// A source of libdispatch would wake the thread of its manager before and after each event as well, which took an eighth
    /// of the processor time of a change.
    final class EventListener: Sendable {
        let descriptor: Int32
        /// Can be read once the thread has to end.
        private let end: Int32
        private let onEvent: @Sendable (Int32) -> Void

        /// - Parameters:
        ///   - descriptor: is closed when the thread has ended and the listener has been released.
        ///   - onEvent: reads what waits; called on the thread.
        /// - Returns: `nil` if the descriptor is negative, or the system has no thread or descriptor to spare.
        init?(descriptor: Int32, onEvent: @escaping @Sendable (Int32) -> Void) {
            let end = descriptor < 0 ? -1 : eventfd(0, Int32(EFD_CLOEXEC))
            guard end >= 0 else {
                if descriptor >= 0 { close(descriptor) }
                return nil
            }
            (self.descriptor, self.end, self.onEvent) = (descriptor, end, onEvent)
            if !start() { return nil }
        }

        deinit {
            close(descriptor)
            close(end)
        }

        /// Ends the thread.
        func cancel() { eventfd_write(end, 1) }

        private func start() -> Bool {
            // Signals are for the program's other threads.
            var (all, former) = (sigset_t(), sigset_t())
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, &former)
            defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
            let listener = Unmanaged.passRetained(self)
            var thread = pthread_t()
            let error = pthread_create(
                &thread,
                nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<EventListener>.fromOpaque(argument).takeRetainedValue().listen()
                    return nil
                },
                listener.toOpaque()
            )
            if error == 0 { pthread_detach(thread) } else { listener.release() }
            return error == 0
        }

        private func listen() {
            var waiting = [descriptor, end].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            while true {
                let count = poll(&waiting, nfds_t(waiting.count), -1)
                if waiting[1].revents != 0 { return }
                // The descriptor was closed elsewhere: from now on poll(2) would return immediately each time.
                if waiting[0].revents & Int16(POLLNVAL | POLLERR) != 0 { return }
                if count > 0 { onEvent(descriptor) }
            }
        }
    }
#endif
