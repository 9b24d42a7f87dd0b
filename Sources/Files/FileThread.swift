// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Work on files on another thread: they may be on a slow disk, or pipes.
package enum FileThread {
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "livery.files").async {
                continuation.resume(returning: Result { () throws(Failure) in try work() })
            }
        }
        return try result.get()
    }
}
