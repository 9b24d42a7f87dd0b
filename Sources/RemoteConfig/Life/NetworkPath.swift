// SPDX-License-Identifier: Apache-2.0

/// The network of this machine, as the system reports it.
struct NetworkPath: Hashable, Sendable {
    /// Whether connections can be made.
    var isUsable: Bool
    /// The interface that connections use, such as `en0`, and its gateways: they differ from one Wi-Fi network to the next.
    var interface: String?
    var gateways: Set<String> = []

    /// Whether this path has replaced another one, or the network has returned.
    func isNew(after former: NetworkPath?) -> Bool { isUsable && former.map { $0 != self } ?? false }
}
