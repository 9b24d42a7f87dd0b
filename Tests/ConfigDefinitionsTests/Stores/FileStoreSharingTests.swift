// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import Foundation
import TestSupport
import Testing

struct FileStoreSharingTests {
    /// Each store has a separate lock on the folder, as in two programs.
    @Test(.timeLimit(.minutes(5))) func storesThatWriteAtOnceLoseNothing() async throws {
        let folder = try TemporaryDirectory()
        let path = folder["livery/tweaks.json"]
        let writers = 4
        let keys = 25
        try await withThrowingTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    try await onDedicatedThread {
                        let store = FileStore(path: path)
                        for key in 0..<keys { try store.set(key, forKey: "\(writer).\(key)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        let store = FileStore(path: path)
        #expect(store.values.count == writers * keys)
        #expect(store.problem == nil)
        #expect(try folder.contents(of: "livery") == ["tweaks.json"])
    }
}
