// SPDX-License-Identifier: Apache-2.0

package import ConfigClient
package import ConfigModel
import ConfigWire

extension ServerClient {
    /// For how long conflicts with other writers are retried: as long as a person waits for a command.
    private static let patience = Duration.seconds(30)
    /// The longest pause before the second attempt, and before any attempt.
    private static let (firstPause, maximumPause) = (Duration.milliseconds(50), Duration.seconds(2))

    /// Reads and writes again after a conflict with another writer, until the write succeeds.
    ///
    /// The pauses are random up to a limit that doubles with each attempt (full jitter), so that writers that start
    /// together do not conflict again and again.
    ///
    /// - Parameters:
    ///   - retries: whether a conflict is retried, called after each.
    ///   - parts: how many parts have been written so far; the time begins again after each.
    ///   - clock: the clock for the pauses.
    ///   - write: reads the current state, and writes.
    /// - Throws: what `write` throws, or `conflict` after 30 s of conflicts, from the first one.
    package static func retrying<Result>(
        _ retries: @autoclosure () -> Bool,
        after parts: @autoclosure () -> Int = 0,
        clock: some Clock<Duration> = ContinuousClock(),
        _ write: () async throws(ConfigError) -> Result
    ) async throws(ConfigError) -> Result {
        var (start, limit, partsAtStart) = (clock.now, firstPause, Int?.none)
        while true {
            do throws(ConfigError) {
                return try await write()
            } catch {
                guard error.code == .conflict, retries() else { throw error }
                let now = parts()
                if now != partsAtStart { (start, limit, partsAtStart) = (clock.now, firstPause, now) }
                guard start.duration(to: clock.now) < patience else { throw Self.exhausted(by: error) }
            }
            let pause = limit * Double.random(in: 0...1)
            // A pause that is cut short by a cancellation ends with the request after it.
            try? await clock.sleep(for: pause)
            limit = min(limit * 2, maximumPause)
        }
    }

    private static func exhausted(by conflict: ConfigError) -> ConfigError {
        var error = conflict
        let seconds = patience.components.seconds
        error.message = "conflicts with other writers for \(seconds) s; try again later"
        return error
    }

    /// Lets the server check the token, the expected revision and the message as for a write, without writing.
    ///
    /// - Returns: the revision that the namespace is at.
    @discardableResult
    package func dryRun(expect: UInt64? = nil, message: String? = nil) async throws(ConfigError) -> UInt64 {
        try await publish(PublishRequest(expect: expect, message: message)).cursor.revision
    }
}
