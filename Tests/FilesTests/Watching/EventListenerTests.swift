// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Dispatch
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import Files

    @Suite(.timeLimit(.minutes(5)))
    struct EventListenerTests {
        private let pipe: (reading: Int32, writing: Int32)

        init() throws {
            var ends: [Int32] = [-1, -1]
            try check(Glibc.pipe(&ends))
            // A process that inherited them would keep them open.
            for end in ends { try check(fcntl(end, F_SETFD, FD_CLOEXEC)) }
            pipe = (ends[0], ends[1])
        }

        /// Waits until the reading end is closed everywhere.
        private func closed() async throws {
            try await until("the reading end is closed") {
                var end = pollfd(fd: pipe.writing, events: 0, revents: 0)
                return poll(&end, 1, 0) == 1 && end.revents & Int16(POLLERR) != 0
            }
            close(pipe.writing)
        }

        @Test func descriptorsAreClosedAtTheEnd() async throws {
            var listener = EventListener(descriptor: pipe.reading) { _ in }
            listener?.cancel()
            listener = nil
            try await closed()
        }

        @Test func releasedEventsEndTheListener() async throws {
            let folder = try TemporaryDirectory()
            let queue = DispatchQueue(label: "test")
            var events: PathEvents? = PathEvents(
                path: AbsolutePath(folder["c.json"]),
                queue: queue,
                descriptor: pipe.reading
            ) {}
            #expect(events?.isUnreliable == true, "a pipe watches nothing")
            events = nil
            try await closed()
        }
    }
#endif
