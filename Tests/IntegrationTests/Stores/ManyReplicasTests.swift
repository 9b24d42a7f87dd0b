// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Three servers on one store. Everything goes wrong that can: servers are killed, paused and restarted, and so is the
/// store.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ManyReplicasTests {
    #if MariaDB
        @Test func clientsMovingBetweenServersStayConsistentOnMariaDB() async throws {
            let (database, replicas) = try await onDedicatedThread {
                let database = try RunningMariaDB()
                return (database, try Replicas(3, on: database.address(of: try database.makeDatabase())))
            }
            let story = ReplicaStory(
                replicas: replicas,
                troubles: [
                    .kill(0),
                    .init(name: "the database's connections are cut") { _, _ in try database.cutConnections() },
                    .pause(1),
                    .init(name: "the database is killed") { _, _ in
                        try database.stop(signal: SIGKILL)
                        try database.start()
                    },
                    .restart(2),
                    .init(name: "the database is restarted") { _, _ in
                        try database.stop()
                        try database.start()
                    },
                    .pause(0),
                ]
            )
            try await story.tell()
        }
    #endif

    #if Etcd
        @Test func clientsMovingBetweenServersStayConsistentOnEtcd() async throws {
            let (etcd, replicas) = try await onDedicatedThread {
                let etcd = try RunningEtcd(members: 3)
                return (etcd, try Replicas(3, on: "etcd://\(etcd.places)/livery"))
            }
            let story = ReplicaStory(
                replicas: replicas,
                troubles: [
                    .kill(0),
                    .init(name: "the leader of etcd is lost") { _, progress in
                        let leader = try etcd.leader()
                        try leader.kill()
                        let start = progress.changeCount
                        try until("writes without it") {
                            progress.changeCount > start + 1000
                        }
                        try leader.start()
                        try leader.waitUntilHealthy()
                    },
                    .pause(1),
                    .init(name: "a member of etcd is paused") { _, progress in
                        let member = try etcd.leader()
                        member.pause()
                        defer { member.resume() }
                        let start = progress.changeCount
                        try until("writes without it") {
                            progress.changeCount > start + 500
                        }
                    },
                    .restart(2),
                    .init(name: "all of etcd is restarted") { _, _ in
                        for member in etcd.members { try member.kill() }
                        for member in etcd.members { try member.start() }
                        for member in etcd.members { try member.waitUntilHealthy() }
                    },
                    .pause(0),
                ]
            )
            try await story.tell()
        }
    #endif
}
