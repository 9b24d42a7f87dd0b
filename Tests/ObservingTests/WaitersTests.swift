// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Observing

@Suite(.timeLimit(.minutes(1)))
struct WaitersTests {
    @Test func queueEndsAcceptedWaitersOnly() {
        var queue = WaiterQueue<String>()
        let numbers = (0..<4).map { _ in queue.nextNumber() }
        for number in numbers[..<3].reversed() { queue.enter("waiter \(number)", as: number) }
        #expect(queue.accept() == [1, 2, 3])
        queue.enter("waiter 4", as: numbers[3])
        #expect(queue.remove([2, 7]) == ["waiter 2"])
        #expect(queue.removeAccepted() == ["waiter 1", "waiter 3"])
        #expect(queue.removeAccepted().isEmpty && queue.count == 1)
        #expect(queue.accept() == [4])
        #expect(queue.removeAll() == ["waiter 4"])
        #expect(queue.count == 0 && queue.accept().isEmpty)
    }

    @Test func leavingWaiterIsForgotten() {
        var queue = WaiterQueue<String>()
        let number = queue.nextNumber()
        queue.enter("waiter", as: number)
        #expect(queue.remove([number]) == ["waiter"])
        #expect(queue.remove([number]).isEmpty && queue.accept().isEmpty && queue.count == 0)
    }

    @Test func waitersEndByValueOrCancellation() async throws {
        let waiters = Waiters<Int>()
        let tasks = (0..<3).map { _ in Task { await waiters.value(ifCancelled: -1) } }
        try await until("all wait") { waiters.count == 3 }
        tasks[0].cancel()
        #expect(await tasks[0].value == -1)
        #expect(waiters.count == 2)
        waiters.endAll(with: 7)
        for task in tasks[1...] { #expect(await task.value == 7) }
        #expect(waiters.count == 0)
        let number = await waiters.value(ifCancelled: -1) { waiters.end([$0], with: $0) }
        #expect(number == 4, "it may end while it enters")
    }

    @Test func cancelledTaskDoesNotWait() async {
        let waiters = Waiters<Int>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await waiters.value(ifCancelled: -1) { _ in Issue.record("it entered") }
        }
        #expect(await task.value == -1)
        #expect(waiters.count == 0)
    }
}
