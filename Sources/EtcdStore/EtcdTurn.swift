#if Etcd
    internal import Synchronization

    /// Lets one in at a time, in the order of asking, without holding a thread.
    final class EtcdTurn: Sendable {
        private let storage = Mutex(Storage())

        private struct Storage {
            var isTaken = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        /// Does something when it is its turn.
        func take<Value, Failure: Error>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
            await enter()
            defer { leave() }
            return try await body()
        }

        private func enter() async {
            await withCheckedContinuation { continuation in
                let isFree = storage.withLock { storage in
                    if storage.isTaken { storage.waiting.append(continuation) }
                    defer { storage.isTaken = true }
                    return !storage.isTaken
                }
                if isFree { continuation.resume() }
            }
        }

        private func leave() {
            let next = storage.withLock { storage in
                storage.isTaken = !storage.waiting.isEmpty
                return storage.waiting.isEmpty ? nil : storage.waiting.removeFirst()
            }
            next?.resume()
        }
    }
#endif
