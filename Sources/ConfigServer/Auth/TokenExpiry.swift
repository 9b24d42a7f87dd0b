// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import ServiceLifecycle

/// Ends the streams of tokens when they expire. Requests are checked against the clock directly.
struct TokenExpiry: Service {
    let policy: AccessPolicy
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // By looking rather than by waiting for a moment: clocks are set, and machines sleep.
            while (try? await Task.sleep(for: .seconds(1), tolerance: .milliseconds(500))) != nil {
                guard let (names, streams) = await policy.endExpired() else { continue }
                logger.notice(
                    "tokens have expired",
                    metadata: ["names": "\(names.joined(separator: ","))", "streams-ended": "\(streams)"]
                )
            }
        }
    }
}
