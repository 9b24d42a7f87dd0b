// SPDX-License-Identifier: Apache-2.0

import FuzzKit

/// Fuzzes what a server reads: requests, forms, targets, its file of tokens.
@_cdecl("LLVMFuzzerInitialize")
package func chooseTarget(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
    MainActor.assumeIsolated { FuzzTarget.choose(of: [.http, .form, .query, .tokens]) }
    return 0
}
