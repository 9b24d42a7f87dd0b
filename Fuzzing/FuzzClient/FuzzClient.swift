// SPDX-License-Identifier: Apache-2.0

import FuzzKit

/// Fuzzes what programs read that use Livery: configurations, a server's answers, the user's files, the terminal.
@_cdecl("LLVMFuzzerInitialize")
package func chooseTarget(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
    MainActor.assumeIsolated {
        FuzzTarget.choose(of: [.json, .wire, .events, .cache, .tweaks, .keys, .input, .terminfo, .schemas])
    }
    return 0
}
