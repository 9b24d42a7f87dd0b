// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// State that nothing synchronises. The thread sanitizer has to report it, as otherwise its silence
/// about Livery's repository would mean nothing.
final class UnsynchronisedRepository: @unchecked Sendable {
    private(set) var values: [String: Int] = [:]

    func set(_ value: Int) { values["n"] = value }
}

/// The same within a lock, which the sanitizer has to find right even where threads wait for it.
final class SynchronisedRepository: Sendable {
    private let values = Mutex<[String: Int]>([:])

    func set(_ value: Int) { values.withLock { $0["n"] = value } }
}

@main
enum RaceProbe {
    static func main() {
        let set: @Sendable (Int) -> Void =
            CommandLine.arguments.contains("synchronised")
            ? SynchronisedRepository().set : UnsynchronisedRepository().set
        for _ in 0..<100 {
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for step in 0..<1000 { set(thread * 1000 + step) }
            }
        }
    }
}
