// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Ports of 127.0.0.1 for programs with a port option, all different. No other test of this process gets them.
package func freePorts(_ count: Int) throws -> [Int] {
    let sockets = try (0..<count).map { _ in try OwnedDescriptor.bound() }
    #if os(Linux)
        // Elsewhere a port is not shared with a socket that has it.
        reserved.withLock { $0 += sockets.map(\.descriptor) }
    #endif
    return sockets.map(\.port)
}

/// Reserves the ports until the process ends.
private let reserved = Mutex<[OwnedDescriptor]>([])
