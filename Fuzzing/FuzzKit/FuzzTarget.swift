// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A function of untrusted bytes, and its properties for any of them.
package struct FuzzTarget: Sendable {
    /// The name on the command line; inputs are in `Fuzzing/Corpus` under this name.
    package let name: String
    private let take: @Sendable @MainActor ([UInt8]) -> Void

    /// Creates a target.
    ///
    /// - Parameter take: takes one input, and ends the process where something does not hold.
    package init(_ name: String, _ take: @escaping @Sendable @MainActor ([UInt8]) -> Void) {
        self.name = name
        self.take = take
    }
}

/// Ends the process, which the fuzzer takes for a finding, unless something holds.
package func require(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { fatalError(message()) }
}

extension FuzzTarget {
    @MainActor private static var chosen: FuzzTarget?

    /// Chooses the target that the variable `FUZZ_TARGET` names.
    @MainActor
    package static func choose(of targets: [FuzzTarget]) {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
        chosen = targets.first { $0.name == name }
        require(chosen != nil, "FUZZ_TARGET must be one of: " + targets.map(\.name).joined(separator: " "))
    }

    @MainActor
    fileprivate static func takeInput(_ bytes: [UInt8]) { chosen?.take(bytes) }
}

/// The callback of libFuzzer for each input (https://llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
package func takeInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    MainActor.assumeIsolated { FuzzTarget.takeInput(input) }
    return 0
}
