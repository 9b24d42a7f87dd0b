// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import Testing

@testable import LiveryApp

/// What is read and written again after a conflict with another writer.
struct RetryTests {
    @Test func aConflictIsTriedAgainUntilItSucceeds() async throws {
        var attempts = 0
        let result = try await ServerClient.retrying(true) { () async throws(ConfigError) in
            attempts += 1
            guard attempts == 3 else { throw ConfigError(.conflict, "somebody else wrote") }
            return "written"
        }
        #expect(result == "written" && attempts == 3)
    }

    @Test(arguments: [(true, 8), (false, 1)])
    func aConflictThatStaysIsThrownInTheEnd(retries: Bool, expected: Int) async {
        var attempts = 0
        let error = await #expect(throws: ConfigError.self) {
            try await ServerClient.retrying(retries) { () async throws(ConfigError) in
                attempts += 1
                throw ConfigError(.conflict, "somebody else wrote")
            }
        }
        #expect(error?.code == .conflict && attempts == expected)
    }

    @Test func anyOtherErrorIsThrownAtOnce() async {
        var attempts = 0
        let error = await #expect(throws: ConfigError.self) {
            try await ServerClient.retrying(true) { () async throws(ConfigError) in
                attempts += 1
                throw ConfigError(.unauthorized, "no")
            }
        }
        #expect(error?.code == .unauthorized && attempts == 1)
    }
}
