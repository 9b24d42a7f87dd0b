import Foundation
import TestSupport
import Testing

/// Several servers on one store.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ManyReplicasTests {
    @Test func harness() async throws {
        let folder = try TemporaryDirectory(prefix: "one")
        let replicas = try await onDedicatedThread { try Replicas(1, on: folder.path(to: "a.sqlite")) }
        let story = ReplicaStory(
            replicas: replicas,
            troubles: [.kill(0), .pause(0), .restart(0)]
        )
        try await story.tell()
        print("MOVES", replicas.mover.counts)
    }
}

extension ReplicaStory.Trouble {
    /// A server is killed, and another takes its place.
    static func kill(_ number: Int) -> Self {
        Self(name: "server \(number) is killed") { replicas, _ in try replicas.restart(number, by: SIGKILL) }
    }

    /// A server ends in good order, and another takes its place.
    static func restart(_ number: Int) -> Self {
        Self(name: "server \(number) is restarted") { replicas, _ in try replicas.restart(number, by: SIGTERM) }
    }

    /// A server stands still while the others go on.
    static func pause(_ number: Int) -> Self {
        Self(name: "server \(number) is paused") { replicas, load in
            let start = load.changeCount
            let end = ContinuousClock.now + .seconds(3)
            try replicas.pause(number) { load.changeCount >= start + 1000 || .now > end }
        }
    }
}
