// SPDX-License-Identifier: Apache-2.0

/// Ports of 127.0.0.1 that nobody listens on at the moment, all different.
package func freePorts(_ count: Int) throws -> [Int] {
    // All are held until the last is found.
    let held = try (0..<count).map { _ in try OwnedDescriptor.listening() }
    return held.map(\.port)
}
